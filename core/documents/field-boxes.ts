import { type FieldBox, PlatenError } from "../plugin-api/index.js";
import type { SignMark } from "../rendering/pdf/index.js";
import type { SignField } from "../compiler/index.js";

/** Of the page's height; a part of a field that was split is smaller than the others by more. */
const SAME_HEIGHT = 0.002;
const SMALLEST = 0.001;

/**
 * The fields of a printed document, each at its place; one that stands on several pages, as in the header row of a
 * table, is a box on each.
 * @throws PlatenError `merge_failed` for a field that cannot be signed: it is not to be seen, or not on one page.
 */
export function fieldBoxes(
  fields: readonly SignField[],
  marks: readonly SignMark[],
): FieldBox[] {
  const byId = new Map<string, SignMark[]>();
  for (const mark of marks)
    byId.set(mark.id, [...(byId.get(mark.id) ?? []), mark]);
  return fields.flatMap((field) => {
    const places = byId.get(field.id) ?? [];
    checkPlaces(field, places);
    return places.map(({ page, x, y, w, h }, at) => ({
      ...field,
      id: at === 0 ? field.id : `${field.id}-${at + 1}`,
      page,
      x,
      y,
      w,
      h,
    }));
  });
}

function checkPlaces(field: SignField, places: readonly SignMark[]): void {
  const [first] = places;
  if (!first || places.some(({ w, h }) => w < SMALLEST || h < SMALLEST))
    throw unsignable(
      field,
      "is on no page: it is hidden, or has no size. Give it a width and a height, or a condition that leaves it out",
    );
  if (places.some(({ h }) => Math.abs(h - first.h) > SAME_HEIGHT))
    throw unsignable(field, "is higher than a page. Give it a smaller height");
}

function unsignable({ name, role }: SignField, why: string): PlatenError {
  return new PlatenError(
    "merge_failed",
    `The sign-field "${name}" of "${role}" ${why}.`,
  );
}
