/** Where keys mean the template: on the page, in the outline, or nowhere in particular; null in fields and controls. */
export type FocusPlace = "canvas" | "outline" | "page";

export function focusPlace(target: EventTarget | null): FocusPlace | null {
  if (!(target instanceof Element)) return null;
  if (target === document.body || target.matches(".editor"))
    return document.querySelector(".canvas") ? "page" : null;
  const control = target.closest(
    "button, a, input, textarea, select, summary, dialog, [contenteditable]",
  );
  // What the page shows as a button or link is none there.
  if (control && !control.hasAttribute("data-id")) return null;
  if (target.closest(".canvas")) return "canvas";
  return target.closest("[role=tree]") ? "outline" : null;
}

/** Whether undo there means the template: in all fields but those that search, and outside of dialogs. */
export function isEditing(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return true;
  return !target.closest("dialog, input[type=search]");
}
