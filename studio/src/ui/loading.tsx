import { type ComponentChildren, type ComponentType, Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { clock } from "../../../core/lib/clock.js";
import { checkFile, isTemporary, wordsOf } from "../api.js";
import type { Resource } from "../resource.js";
import { retryUntilDone } from "../retry.js";
import { Fault } from "./notice.js";
import { t } from "../messages/index.js";

/** Placeholder for a list that is loading. */
export function Skeleton({ count = 6 }: { count?: number }) {
  return (
    <ul
      class="card lines waiting"
      aria-label={t("common.loadingLabel")}
      aria-busy="true"
    >
      {Array.from({ length: count }, (_, index) => (
        <li class="line" key={index}>
          <span class="bone long" />
        </li>
      ))}
    </ul>
  );
}

interface LoadStatusProps {
  resource: Pick<Resource<unknown>, "data" | "fault"> & {
    reload: () => unknown;
  };
  /** The title of an error, such as "Couldn't load the documents". */
  what: string;
  /** Number of lines of the skeleton. */
  count?: number;
}

/** A skeleton until the resource is loaded, or the error with a retry button; nothing once there is data. */
export function LoadStatus({ resource, what, count }: LoadStatusProps) {
  const { data, fault, reload } = resource;
  if (fault !== null) return <Fault what={what} why={fault} onRetry={reload} />;
  return data === null ? <Skeleton {...(count && { count })} /> : null;
}

/**
 * Wraps a component whose code is loaded when it is first shown. Without a connection, it is loaded as soon as there is one.
 * @param Frame is around what is shown until then
 */
export function lazy<M, P extends object>(
  load: () => Promise<M>,
  pick: (module: M) => ComponentType<P>,
  Frame: ComponentType<{ children: ComponentChildren }> = Fragment,
): ComponentType<P> {
  return function Lazy(props: P) {
    const [Page, setPage] = useState<ComponentType<P> | null>(null);
    const [fault, setFault] = useState<string | null>(null);
    /** @returns false if it may succeed later */
    const reload = () =>
      importModule(load).then(
        (module) => {
          setPage(() => pick(module));
          return true;
        },
        (error: unknown) => {
          setFault(wordsOf(error));
          return !isTemporary(error);
        },
      );
    useEffect(() => retryUntilDone(reload), []);
    if (Page) return <Page {...props} />;
    return (
      <Frame>
        <LoadStatus
          resource={{ data: null, fault, reload }}
          what={t("common.couldntLoadThisPage")}
        />
      </Frame>
    );
  };
}

/**
 * The module of an `import()`, also when an earlier one failed: Chromium then rejects every import of the same address.
 * @throws Refusal when the module cannot be loaded now
 */
async function importModule<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const [url] = /https?:\S+\.js/.exec(wordsOf(error)) ?? [];
    if (url === undefined) throw error;
    await checkFile(url);
    // The same module.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (await import(`${url}?${clock.now()}`)) as M;
  }
}
