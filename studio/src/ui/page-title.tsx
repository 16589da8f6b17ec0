import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Link, steps } from "../router.js";
import { Icon } from "./icon.js";
import { t } from "../messages/index.js";

interface PageTitleProps {
  title: string;
  lead?: ComponentChildren;
  children?: ComponentChildren;
}

/** The heading and window title of a page. Takes the focus after navigation, so that screen readers read it. */
export function PageTitle({ title, lead, children }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t("common.titlePlaten", { title });
  }, [title]);
  useEffect(() => {
    if (steps.peek() > 0) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header class="page-head">
      <div class="words">
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
        {lead && <p class="muted">{lead}</p>}
      </div>
      {children && <div class="row">{children}</div>}
    </header>
  );
}

interface CrumbProps {
  /** The path of a list. */
  to: string;
  children: string;
}

/** The link from the page of an entry to its list. */
export function Crumb({ to, children }: CrumbProps) {
  return (
    <Link class="crumb" to={to}>
      <Icon name="back" size={16} />
      {children}
    </Link>
  );
}
