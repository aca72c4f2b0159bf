/** The texts of the rules in pictures. */
import { sayer } from "./own";

const en = {
  intro: "Boards as they come about in a game. The arrow shows the tile laid last; what scores is lit, with its sum.",
  law: "The numbered rules of this box",
  lesson: "Play the lesson",
  all: "All boxes",
  open: "The rules in pictures",
  working: "The boards are being drawn …",
  failed: "The pictures could not be loaded.",
  again: "Try again",
  none: "This box has no pictures.",
  sums: "Points: {sums}",
};

const fr: Record<keyof typeof en, string> = {
  intro:
    "Des plateaux tels qu’ils naissent dans une partie. La flèche montre la dernière tuile ; ce qui marque est éclairé, avec le compte.",
  law: "Les règles numérotées de cette boîte",
  lesson: "Faire la leçon",
  all: "Toutes les boîtes",
  open: "Les règles en images",
  working: "Les plateaux sont en train d’être dessinés …",
  failed: "Les images n’ont pas pu être chargées.",
  again: "Réessayer",
  none: "Cette boîte n’a pas d’images.",
  sums: "Points : {sums}",
};

export const texts = { en, fr };
export const q = sayer(texts);
