import { PathMenu } from "./menu/path-menu.js";
import type { TextSurface } from "./surface/text-surface.js";

/** What opens beside a text that is typed: the menu, a variable's settings, the marks of what is selected. */
export function Beside({ surface }: { surface: TextSurface }) {
  return <>{surface.trigger.open.value && <PathMenu surface={surface} />}</>;
}
