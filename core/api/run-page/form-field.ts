import { bodyParser } from "@koa/bodyparser";
import { PlatenError } from "../../plugin-api/index.js";
import type { HttpContext } from "../context.js";

const readForm = bodyParser({
  enableTypes: ["form"],
  formLimit: 1_048_576,
  onError: (cause) => {
    throw new PlatenError("too_large", "The form could not be read.", {
      cause,
    });
  },
});

/** A field of a posted form; empty when it is not there. */
export async function formField(
  ctx: HttpContext,
  name: string,
): Promise<string> {
  return (await formFields(ctx)).get(name) ?? "";
}

/** All of them; those that came more than once are left out. */
export async function formFields(
  ctx: HttpContext,
): Promise<ReadonlyMap<string, string>> {
  await readForm(ctx, async () => {});
  const body: unknown = ctx.request.body;
  return new Map(
    Object.entries(Object(body)).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    ),
  );
}
