/** The texts of the result and of the picture of the landscape. */
import { sayer } from "./own";

const en = {
  ahead: "{n} {n:point|points} ahead of {name}",
  aheadOfYou: "{n} {n:point|points} ahead of you",
  even: "with {n} points each",
  picture: "Picture to share",
  pictureFailed: "The picture could not be made here.",
  position: "The landscape after {n} tiles",
  foot: "Bastide, {date}",
};

const fr: Record<keyof typeof en, string> = {
  ahead: "{n} {n:point|points} d’avance sur {name}",
  aheadOfYou: "{n} {n:point|points} d’avance sur vous",
  even: "avec {n} points chacun",
  picture: "Image à partager",
  pictureFailed: "L’image n’a pas pu être faite ici.",
  position: "Le paysage après {n} tuiles",
  foot: "Bastide, {date}",
};

export const texts = { en, fr };
export const r = sayer(texts);
