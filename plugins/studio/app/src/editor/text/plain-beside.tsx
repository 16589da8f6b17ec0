import { ChipPopover } from "./chip/chip-popover.js";
import { PathMenu } from "./menu/path-menu.js";
import type { TextSurface } from "./surface/text-surface.js";

/** What opens beside every text that is typed: the menu, and a variable's settings. */
export function PlainBeside({ surface }: { surface: TextSurface }) {
  const place = surface.openChip.value;
  return (
    <>
      {place !== null && (
        <ChipPopover key={place} surface={surface} place={place} />
      )}
      {surface.trigger.open.value && <PathMenu surface={surface} />}
    </>
  );
}
