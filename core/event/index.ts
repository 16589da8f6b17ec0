// What happens to a batch's documents, told to whoever asked: event rows written in the transaction that changes a
// state, and signed webhooks made from them that are tried until they arrive. Who changes the states is not its matter.
export {
  type DocumentExpired,
  type DocumentFailed,
  type DocumentsCompleted,
  type DocumentSucceeded,
  EVENT_TYPES,
  type EventType,
  type ServiceEvent,
} from "./events.js";
export type { EventNudge } from "./nudge.js";
export { recordEvent, recordEvents } from "./record-event.js";
