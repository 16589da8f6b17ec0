import {
  type AppRequest,
  type AppVisitor,
  PlatenError,
} from "../../../core/plugin-api/index.js";

/** Of a route that lets nobody else pass. */
export function visitorOf({ visitor }: AppRequest): AppVisitor {
  if (visitor) return visitor;
  throw new PlatenError("unauthorized", "You are not signed in.");
}
