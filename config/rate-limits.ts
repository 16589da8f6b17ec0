import { z } from "zod";
import { PLANS, type Plan } from "../core/plugin-api/index.js";

/** Requests a minute by plan; a plan that is not named has no limit. */
export type RateLimitChoice = Partial<Record<Plan, number>>;

const entry = /^(\w+)=(\d{1,9})$/;

/** Reads `free=60,premium=600`. */
export const rateLimits = z
  .string()
  .prefault("none")
  .transform((text, context): RateLimitChoice => {
    if (text === "none") return {};
    const limits: RateLimitChoice = {};
    for (const part of text.split(",")) {
      const [, name, number] = entry.exec(part.trim()) ?? [];
      const plan = PLANS.find((one) => one === name);
      if (!plan || !Number(number)) {
        context.addIssue("no limit");
        return z.NEVER;
      }
      limits[plan] = Number(number);
    }
    return limits;
  });
