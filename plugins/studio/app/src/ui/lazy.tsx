import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { wordsOf } from "../api.js";
import { Bones } from "./bones.js";
import { Fault } from "./notice.js";

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
