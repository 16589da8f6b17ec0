import type {
  DraftSaved,
  DraftView,
} from "../../../../../../core/plugin-api/app-drafts.js";
import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { me } from "../../session.js";
import { withIds } from "../model/ids.js";
import type { Conflict } from "./join/join.js";
import { withKnownIds } from "./join/known-ids.js";
import { sameJson } from "./join/same-json.js";

/** Two makings of one definition that are to be joined. */
export interface Meeting {
  /** Whose changes come in: another person's draft, or what was published meanwhile. */
  with: "draft" | "published";
  view: DraftView;
  base: ProjectData;
  theirs: ProjectData;
}

/** What has to be chosen before they are. */
export interface Question extends Meeting {
  conflicts: readonly Conflict[];
}

/** With the draft as the server has it. */
export function draftOf(view: DraftView, base: ProjectData): Meeting {
  return { with: "draft", view, base, theirs: definitionOf(view.definition) };
}

/** With what was published since the draft began. @param mine whose ids stay */
export function publishedOf(view: DraftView, mine: ProjectData): Meeting {
  const { published } = view;
  const base = withKnownIds(definitionOf(view.base.definition), mine);
  const theirs = definitionOf(published.definition ?? view.base.definition);
  return {
    with: "published",
    view,
    base,
    theirs: withKnownIds(theirs, base),
  };
}

/** The draft as it was saved from here. */
export function afterSave(
  before: DraftView,
  saved: DraftSaved,
  definition: ProjectData,
): DraftView {
  const isChanged = !sameJson(definition, before.base.definition);
  const savedBy = me.peek()?.user.name ?? null;
  return { ...before, ...saved, savedBy, isChanged };
}

/** How things stand once a meeting is joined: here, and with a draft what the service has of it. */
export function afterMeeting(
  meeting: Meeting,
  joined: ProjectData,
): { view: DraftView; saved: ProjectData | null; definition: ProjectData } {
  const { view, theirs } = meeting;
  if (meeting.with === "published")
    // Another object, so that the new base is saved in any case.
    return { view: rebased(view), saved: null, definition: { ...joined } };
  const saved = sameJson(joined, theirs) ? joined : theirs;
  return { view, saved, definition: joined };
}

/** The draft has in it what is published now. */
function rebased(view: DraftView): DraftView {
  const { published, base } = view;
  const definition = published.definition ?? base.definition;
  return { ...view, base: { ...published, definition } };
}

export function definitionOf(stored: unknown): ProjectData {
  // A draft is at least an object with its two lists: the server keeps nothing else.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return withIds(stored as ProjectData);
}
