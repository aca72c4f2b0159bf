/** Where this page lives: on a server of Bastide's, or as plain files on any web server, perhaps below a path. */

/** Plain files: there is no server, and addresses of the page stand behind `#`. `bastide site` writes the mark. */
export const PLAIN = typeof document !== "undefined" && document.querySelector('meta[name="bastide-site"]') !== null;

/** The folder of the page's files. */
export const HOME =
  typeof location === "undefined" ? "" : PLAIN ? new URL(".", location.href).href : `${location.origin}/`;

/** The address of a file of the page. */
export const fileAt = (name: string) => HOME + name;

/** An address of the page (`/table/ID?at=3`) as a link that can be sent to others. */
export const linkTo = (path: string) => (PLAIN ? `${HOME}#${path}` : HOME + path.slice(1));

/** The address of the page that a link leads to; nothing if it leads elsewhere. */
export function pathOf(link: string): string | undefined {
  if (link.startsWith("/")) return link;
  return link.startsWith(linkTo("/")) ? `/${link.slice(linkTo("/").length)}` : undefined;
}
