import type {
  AppReply,
  AppRequest,
  AppRole,
  AppRoute,
  AppVisitor,
} from "../../../core/plugin-api/index.js";
import { visitorOf } from "./visitor-of.js";

interface JsonRoute extends Omit<AppRoute, "access" | "handle"> {
  access: AppRole;
  /** Default 200. */
  status?: NonNullable<AppReply["status"]>;
  answer: (visitor: AppVisitor, request: AppRequest) => Promise<unknown>;
}

/** A route that tells JSON to those who are signed in. */
export function jsonRoute({ status, answer, ...route }: JsonRoute): AppRoute {
  return {
    ...route,
    handle: async (request) => ({
      ...(status && { status }),
      json: await answer(visitorOf(request), request),
    }),
  };
}
