import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Scope } from "./sample.js";

const ScopeContext = createContext<Scope | null>(null);

export const ScopeProvider = ScopeContext.Provider;

/** The repeats in which a component stands, its own among them. */
export function useScope(): Scope | null {
  return useContext(ScopeContext);
}
