import type {
  AppProfile,
  AppRole,
} from "../../../../core/contract/app-plugin.js";
import { signal } from "@preact/signals";
import { ask } from "./api.js";

/** Who is signed in; null until it is known. */
export const me = signal<AppProfile | null>(null);

export async function loadMe(): Promise<void> {
  me.value = await ask<AppProfile>("me");
}

export function may(role: AppRole): boolean {
  const order: AppRole[] = ["viewer", "editor", "owner"];
  return (
    me.value !== null && order.indexOf(me.value.role) >= order.indexOf(role)
  );
}
