declare module "*.css";

/** The URL of a file that is served as it is, beside the app's own. */
declare module "*?url" {
  const url: string;
  export default url;
}

/** The types of definitions come from their schemas, which load the grammar of CSS by this. */
declare module "node:module" {
  import type * as CssTree from "css-tree";

  export function createRequire(
    url: string,
  ): (id: "css-tree/dist/csstree.esm") => typeof CssTree;
}
