import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { Component } from "../../../../../../core/contract/definition.js";
import { ScopeProvider, useScope } from "./scope-context.js";

/** What a component that repeats is to those within: one more scope. */
export function RepeatScope({
  component: { id = "", collection },
  children,
}: {
  component: Component;
  children: ComponentChildren;
}) {
  const around = useScope();
  const scope = useMemo(
    () => (collection ? { id, collection, around } : around),
    [id, collection, around],
  );
  return <ScopeProvider value={scope}>{children}</ScopeProvider>;
}
