import type { EntityManager } from "typeorm";
import { clock } from "../../lib/clock.js";
import { inject, injectable } from "../../lib/injection.js";
import {
  findForUpdate,
  insertRow,
  isDuplicate,
  PluginFailure,
  type Store,
} from "../../storage/database/index.js";
import { STORE } from "../../storage/database/tokens.js";

/** After so many failures, a plugin is disabled until an administrator enables it. */
export const MAX_PLUGIN_FAILURES = 3;

/** How often a plugin has ended the plugin host since it was last enabled. */
export interface FailureStatus {
  count: number;
  /** Why the plugin host ended the last time. */
  reason: string;
  failedAt: Date;
  /** Whether the plugin is not called any more. */
  isDisabled: boolean;
}

/** Identifies a plugin. */
export interface PluginName {
  kind: string;
  id: string;
}

/** The plugins that ended the plugin host, for all processes of the service. */
export interface PluginFailures {
  /** Null for a plugin that has not failed. */
  find(plugin: PluginName): Promise<FailureStatus | null>;
  record(plugin: PluginName, reason: string): Promise<FailureStatus>;
  /**
   * Forgets the failures of the plugins with this id. @param inTransaction runs in its transaction.
   * @returns how many plugins had failed.
   */
  clear(
    id: string,
    inTransaction?: (tx: EntityManager) => Promise<void>,
  ): Promise<number>;
}

@injectable()
export class StoredPluginFailures implements PluginFailures {
  constructor(@inject(STORE) private readonly store: Store) {}

  async find({ kind, id }: PluginName): Promise<FailureStatus | null> {
    const row = await this.store.read.findOneBy(PluginFailure, {
      kind,
      pluginId: id,
    });
    return row && toStatus(row);
  }

  async record(plugin: PluginName, reason: string): Promise<FailureStatus> {
    try {
      return await this.add(plugin, reason);
    } catch (error) {
      // Another process has recorded the first failure at the same time.
      if (!isDuplicate(error)) throw error;
      return this.add(plugin, reason);
    }
  }

  private add(
    { kind, id }: PluginName,
    reason: string,
  ): Promise<FailureStatus> {
    return this.store.unitOfWork.run(async (tx) => {
      const key = { kind, pluginId: id };
      const known = await findForUpdate(tx, PluginFailure, key);
      const row = {
        ...key,
        failureCount: (known?.failureCount ?? 0) + 1,
        reason: reason.slice(0, 1000),
        failedAt: clock.date(),
      };
      if (known === null) await insertRow(tx, PluginFailure, row);
      else await tx.update(PluginFailure, key, row);
      return toStatus(row);
    });
  }

  clear(
    id: string,
    inTransaction?: (tx: EntityManager) => Promise<void>,
  ): Promise<number> {
    return this.store.unitOfWork.run(async (tx) => {
      const { affected } = await tx.delete(PluginFailure, { pluginId: id });
      await inTransaction?.(tx);
      return affected ?? 0;
    });
  }
}

function toStatus({
  failureCount,
  reason,
  failedAt,
}: PluginFailure): FailureStatus {
  const isDisabled = failureCount >= MAX_PLUGIN_FAILURES;
  return { count: failureCount, reason, failedAt, isDisabled };
}

/** For a check of an installation whose database cannot be used. */
export const noPluginFailures: PluginFailures = {
  find: () => Promise.resolve(null),
  record: (_plugin, reason) =>
    Promise.resolve({
      count: 1,
      reason,
      failedAt: clock.date(),
      isDisabled: false,
    }),
  clear: () => Promise.resolve(0),
};
