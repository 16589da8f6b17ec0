import type { ProjectData } from "../../../../../../core/contract/definition.js";

/** What was changed in this browser and did not get to the service. */
export interface KeptWork {
  /** What the service had when the changes began. */
  base: ProjectData;
  mine: ProjectData;
}

const keyOf = (templateId: string) => `platen-unsaved:${templateId}`;

/** Keeps work for the next time that this browser opens the template. Where there is no room for it, it is not kept. */
export function keepWork(templateId: string, work: KeptWork): boolean {
  try {
    localStorage.setItem(keyOf(templateId), JSON.stringify(work));
    return true;
  } catch {
    return false;
  }
}

export function forgetWork(templateId: string): void {
  localStorage.removeItem(keyOf(templateId));
}

/** What was kept; null when there is nothing. */
export function keptWork(templateId: string): KeptWork | null {
  const text = localStorage.getItem(keyOf(templateId));
  if (text === null) return null;
  try {
    // It was written above.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(text) as KeptWork;
  } catch {
    return null;
  }
}
