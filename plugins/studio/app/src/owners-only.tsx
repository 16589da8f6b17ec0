import type { ComponentChildren } from "preact";
import { may } from "./me.js";
import { Notice } from "./ui/notice.js";
import { PageTitle } from "./ui/page-title.js";

interface OwnersOnlyProps {
  /** Of the page. */
  title: string;
  children: ComponentChildren;
}

/** A page that others may reach by its address, but have nothing to see on. */
export function OwnersOnly({ title, children }: OwnersOnlyProps) {
  if (may("owner")) return <>{children}</>;
  return (
    <>
      <PageTitle title={title} />
      <Notice title="This page is for owners">
        <p>Ask an owner of your organization for what you need.</p>
      </Notice>
    </>
  );
}
