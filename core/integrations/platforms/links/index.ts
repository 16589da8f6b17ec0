// Links for people who have no key: a token says of which template and which table it may make documents, and can do
// nothing else. A run is one press of its button. What is shown of them is a matter of the doorways.
export { bindToLink } from "./bind-to-link.js";
export { type Formula, formulasOf } from "./formulas.js";
export type { LinkInput } from "./link-input.js";
export { type LinkList, type LinkOwner, Links } from "./links.js";
export type { LinkView, LinkWithUrl } from "./link-view.js";
export type { OpenLink } from "./open-link.js";
export type {
  LinkActor,
  LinkNote,
  LinkPorts,
  RecordsDesk,
  RunPorts,
} from "./ports.js";
export type {
  RunDocument,
  RunFile,
  RunProgress,
  RunWriteBack,
} from "./run-progress.js";
export { type RunPreview, Runs } from "./runs.js";
