import type { HttpMiddleware } from "../http-state.js";

/** Says `{ error }` where no route answered: 404 for an unknown path, 405 (with `Allow`) for another method. */
export function unknownRoute(): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    if (ctx.body !== undefined && ctx.body !== null) return;
    const { status } = ctx;
    if (status !== 404 && status !== 405 && status !== 501) return;
    ctx.body = {
      error:
        status === 404
          ? `There is no ${ctx.method} ${ctx.path}. The reference is at /docs.`
          : `${ctx.path} does not answer ${ctx.method}. The reference is at /docs.`,
    };
    ctx.status = status === 404 ? 404 : 405;
  };
}
