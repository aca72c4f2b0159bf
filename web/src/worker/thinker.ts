/** The worker that thinks: bots, analyses, drawings. The tables never wait for it. */

/// <reference lib="webworker" />
import type { PyodideInterface } from "pyodide";
import { loadEngine } from "./engine";
import { lastLine, type Answer, type Begin, type Thought } from "./talk";

type Think = (kind: string, data: string) => string;
let think: Promise<Think> | undefined;

self.onmessage = ({ data }: MessageEvent<Begin | Thought>) => {
  if ("engine" in data) think = begin(data);
  else void answer(data);
};

async function begin({ engine, started }: Begin): Promise<Think> {
  const prepare = async (python: PyodideInterface) => {
    const thoughts = python.pyimport("bastide.server.browser.thoughts");
    thoughts.think_by_time();
    return (kind: string, data: string) => thoughts.think(kind, data) as string;
  };
  return loadEngine(engine, prepare, undefined, started);
}

async function answer({ id, kind, data }: Thought) {
  const tell = (answer: Answer) => self.postMessage(answer);
  try {
    tell({ id, text: (await think!)(kind, data) });
  } catch (wrong) {
    tell({ id, error: lastLine(wrong), lost: (wrong as Error).name !== "PythonError" }); // no memory, for example
  }
}
