/** The texts of games that run in this browser. */
import { sayer } from "./own";

const en = {
  loading: "The game is loading: {percent} %",
  starting: "The game is starting …",
  ready: "Loaded: the game now works without a network too.",
  failed: "The game could not be loaded: {why}",
  forgets: "This browser keeps nothing for this page (a private window?). Games are lost when the page is closed.",
  wanted: "Play on this device",
  wantedHint: "Games against the computer need no server and no network then. Loads 7 MB once.",
  master: "On this device it thinks for three seconds a turn, and is weaker than at a server.",
  handOver: "Hand the device to {name}",
  handOverHint: "What others hold in their hands stays hidden until then.",
  iAm: "I am {name}",
  online: "Take this game online",
  onlineHint: "The game goes on at a server, with everything that has been played. Here it stays as it is.",
  server: "Address of the server",
  open: "Open it there",
  imported: "A game that goes on here",
  importedHint: "{players} have played {n} {n:action|actions}.",
  goOn: "Go on with this game",
  broken: "There is no game in this link, or it is not whole.",
  unreadable: "This version of the program cannot read this game. It is kept as it is; another version may. ({why})",
  forget: "Forget this game",
};
const fr: Record<keyof typeof en, string> = {
  loading: "Le jeu se charge : {percent} %",
  starting: "Le jeu démarre…",
  ready: "Chargé : le jeu fonctionne maintenant aussi sans réseau.",
  failed: "Le jeu n’a pas pu être chargé : {why}",
  forgets:
    "Ce navigateur ne garde rien pour cette page (fenêtre privée ?). Les parties sont perdues quand on la ferme.",
  wanted: "Jouer sur cet appareil",
  wantedHint: "Les parties contre l’ordinateur se passent alors de serveur et de réseau. 7 Mo à charger une fois.",
  master: "Sur cet appareil, il réfléchit trois secondes par tour et joue moins bien que sur un serveur.",
  handOver: "Passez l’appareil à {name}",
  handOverHint: "Jusque-là, ce que les autres ont en main reste caché.",
  iAm: "C’est moi, {name}",
  online: "Continuer cette partie en ligne",
  onlineHint: "La partie continue sur un serveur, avec tout ce qui a été joué. Ici, elle reste telle quelle.",
  server: "Adresse du serveur",
  open: "L’ouvrir là-bas",
  imported: "Une partie qui continue ici",
  importedHint: "{players} ont joué {n} {n:action|actions}.",
  goOn: "Continuer cette partie",
  broken: "Il n’y a pas de partie dans ce lien, ou il n’est pas complet.",
  unreadable:
    "Cette version du programme ne sait pas lire cette partie. Elle est gardée telle quelle ; une autre y arrivera peut-être. ({why})",
  forget: "Oublier cette partie",
};

export const say = sayer({ en, fr });
