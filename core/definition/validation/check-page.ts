import { PlatenError, type Problem } from "../../plugin-api/index.js";
import type { PageSetup } from "../schema/page-schema.js";
import { layOutPaper } from "../page/paper.js";

/** Second pass: the page set-up makes a sheet with room on it. */
export function checkPage(page: PageSetup | undefined): Problem[] {
  if (page === undefined) return [];
  const { size, width, height } = page;
  const isCustom = size === "Custom";
  if (isCustom && (width === undefined || height === undefined))
    return [
      {
        path: "$.page.size",
        code: "missing_property",
        message: 'The page size "Custom" needs a width and a height.',
        hint: 'Add them: "width": "100mm", "height": "150mm".',
      },
    ];
  if (!isCustom && (width !== undefined || height !== undefined))
    return [
      {
        path: `$.page.${width === undefined ? "height" : "width"}`,
        code: "misplaced",
        message: `The size ${size ?? "A4"} has its own width and height.`,
        hint: 'Remove them, or set the size to "Custom".',
      },
    ];
  return checkRoom(page);
}

function checkRoom(page: PageSetup): Problem[] {
  try {
    layOutPaper(page);
    return [];
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return [
      { path: "$.page.margin", code: "wrong_value", message: error.message },
    ];
  }
}
