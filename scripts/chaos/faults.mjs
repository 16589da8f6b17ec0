// Preloaded into the processes of a chaos run: a clock that is wrong, and documents that kill whoever reads them.

const skewMs = Number(process.env.CHAOS_CLOCK_SKEW_MS ?? 0);
const poison = process.env.CHAOS_POISON;

if (skewMs !== 0) {
  const now = Date.now.bind(Date);
  Date.now = () => now() + skewMs;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(
        target,
        args.length > 0 ? args : [target.now()],
        newTarget,
      ),
  });
}

if (poison) {
  const parse = JSON.parse.bind(JSON);
  JSON.parse = (text, reviver) => {
    if (typeof text === "string" && text.includes(poison))
      process.kill(process.pid, "SIGKILL");
    return parse(text, reviver);
  };
}
