import type { TargetedDragEvent } from "preact";

/** What is dragged from a library onto a folder. */
const type = "application/x-platen-entry";

export function carry(event: TargetedDragEvent<HTMLElement>, id: string) {
  event.dataTransfer?.setData(type, id);
  if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
}

/** Whether one of ours is over it; others' things are left to the browser. */
export function isCarried({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes(type) ?? false;
}

export function carriedOf({ dataTransfer }: DragEvent): string {
  return dataTransfer?.getData(type) ?? "";
}
