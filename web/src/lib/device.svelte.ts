/** Games on this device: whether they are wanted, and how far the engine has come. */

import { here, type Progress } from "./carrier";
import { load, store } from "./kept";
import { PLAIN } from "./site";

const WANTED = "bastide.device";

class Device {
  #wanted = $state(load(WANTED) === true);
  progress = $state.raw<Progress>(here.progress);

  constructor() {
    here.listen((progress) => (this.progress = progress));
  }

  /** Are games against the computer played here although there is a server? Plain files have none. */
  get wanted(): boolean {
    return PLAIN || this.#wanted;
  }

  set wanted(is: boolean) {
    this.#wanted = is;
    store(WANTED, is);
  }

  /** The browser keeps no games: they are lost with the page. */
  get forgets(): boolean {
    return this.progress.kept === false;
  }

  /** Loads the engine in the background. */
  start = () => void here.start();
}

export const device = new Device();
