import { askPublic } from "../../api.js";
import type { SettingsSchema } from "./settings.js";

/** An installed platform or e-signature provider, to which connections lead. */
export interface Target {
  kind: "platform" | "esign";
  id: string;
  title: string;
  state: "ready" | "broken";
  /** Why it is broken. */
  reason: string | null;
  credentials: SettingsSchema | null;
}

type Told = { data: Omit<Target, "kind">[] };

/** All that are installed, platforms first. */
export async function readTargets(): Promise<Target[]> {
  const [platforms, providers] = await Promise.all([
    askPublic<Told>("platforms"),
    askPublic<Told>("esign-providers"),
  ]);
  return [
    ...platforms.data.map((one) => ({ ...one, kind: "platform" as const })),
    ...providers.data.map((one) => ({ ...one, kind: "esign" as const })),
  ];
}
