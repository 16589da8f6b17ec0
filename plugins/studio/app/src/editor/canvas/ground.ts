import type { Background } from "../../../../../../core/plugin-api/definition.js";
import { cssUrl } from "./css-url.js";
import type { Paper } from "./paper.js";

/** What lies under every page; a picture that the record chooses is left out. */
export function groundOf(
  background: Background | undefined,
  { height }: Paper,
): Record<string, string> {
  const { color, image } =
    typeof background === "string"
      ? { color: background, image: undefined }
      : (background ?? {});
  return {
    "background-color": color ?? "#fff",
    ...(image?.startsWith("data:image/") && {
      "background-image": cssUrl(image),
      "background-size": `100% ${height}px`,
      "background-repeat": "repeat-y",
    }),
  };
}
