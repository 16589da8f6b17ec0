import { signal } from "@preact/signals";
import { ask } from "./api.js";

export type Role = "viewer" | "editor" | "owner";

export interface Me {
  user: { id: string; name: string; email: string };
  organization: { id: string; name: string; plan: string };
  role: Role;
  organizations: { id: string; name: string }[];
}

/** Who is signed in; null until it is known. */
export const me = signal<Me | null>(null);

export async function loadMe(): Promise<void> {
  me.value = await ask<Me>("me");
}

export function may(role: Role): boolean {
  const order: Role[] = ["viewer", "editor", "owner"];
  return (
    me.value !== null && order.indexOf(me.value.role) >= order.indexOf(role)
  );
}
