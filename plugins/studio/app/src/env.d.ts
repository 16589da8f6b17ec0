declare module "*.css";

/** The URL of a file that is served as it is, beside the app's own. */
declare module "*?url" {
  const url: string;
  export default url;
}
