import type { EsignProvider } from "../../../core/plugin-api/index.js";
import type { EsignSession } from "./esign-session.js";

/** One promise of the contract. `run` rejects with what is wrong. */
export interface EsignCheck {
  title: string;
  /** Left out: every provider must keep it. */
  appliesTo?(plugin: EsignProvider<never>): boolean;
  run<C>(session: EsignSession<C>): Promise<void>;
}
