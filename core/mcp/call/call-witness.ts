import type { Metrics } from "../../plugin-api/index.js";
import type { Session } from "../session.js";
import type { CallEnd } from "./run-tool.js";

const upTo = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

/** Logs and counts each call of a tool. */
export function callWitness(
  metrics: Metrics,
): (session: Session, end: CallEnd) => void {
  const count = metrics.counter({
    name: "platen_mcp_calls_total",
    help: "Calls of tools by assistants, by how they ended.",
    labels: ["tool", "outcome"],
  });
  const took = metrics.durations({
    name: "platen_mcp_call_seconds",
    help: "How long calls of tools took.",
    labels: ["tool"],
    upTo,
  });
  return ({ log }, { tool, outcome, milliseconds }) => {
    count({ tool, outcome });
    took({ tool }, milliseconds / 1000);
    const ms = Math.round(milliseconds * 10) / 10;
    log.info({ tool, outcome, ms }, "tool call");
  };
}
