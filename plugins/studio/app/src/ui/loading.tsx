import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { wordsOf } from "../api.js";
import { Fault } from "./notice.js";

/** Where a list will be. */
export function Bones({ count = 6 }: { count?: number }) {
  return (
    <ul class="card lines waiting" aria-label="Loading" aria-busy="true">
      {Array.from({ length: count }, (_, index) => (
        <li class="line" key={index}>
          <span class="bone long" />
        </li>
      ))}
    </ul>
  );
}

/** A page whose code is fetched when it is first shown. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  return function Lazy(props: P) {
    const [Page, setPage] = useState<ComponentType<P> | null>(null);
    const [fault, setFault] = useState<string | null>(null);
    const fetch = () =>
      load().then(
        (one) => setPage(() => one),
        (error: unknown) => setFault(wordsOf(error)),
      );
    useEffect(() => {
      void fetch();
    }, []);
    if (Page) return <Page {...props} />;
    return fault === null ? (
      <Bones />
    ) : (
      <Fault
        what="This page could not be fetched"
        why={fault}
        onRetry={fetch}
      />
    );
  };
}
