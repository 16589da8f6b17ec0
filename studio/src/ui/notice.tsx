import type { ComponentChildren } from "preact";
import { Button } from "./button.js";
import { Icon, type IconName } from "./icon.js";
import { t } from "../messages/index.js";

interface NoticeProps {
  tone?: "bad" | "good" | "warn";
  title: string;
  children?: ComponentChildren;
}

/** A highlighted message within the page. */
export function Notice({ tone, title, children }: NoticeProps) {
  const role = tone === "bad" ? "alert" : undefined;
  return (
    <div class={`notice ${tone ?? ""}`} role={role}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** Something could not be loaded; with a button to retry. */
export function Fault({
  what,
  why,
  onRetry,
}: {
  what: string;
  why: string;
  onRetry: () => unknown;
}) {
  return (
    <Notice tone="bad" title={what}>
      <p>{why}</p>
      <Button onPress={onRetry}>{t("common.tryAgain")}</Button>
    </Notice>
  );
}

/** An empty list, and what to do about it. */
export function Empty({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <div class="picture">
        <Icon name={icon} size={26} />
      </div>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

const maxLeadLength = 160;

/** An error message; of a long one only the beginning until it is expanded. */
export function ErrorDetails({ error }: { error: string }) {
  const lead = error.slice(0, maxLeadLength).replace(/\s+\S*$/, "");
  if (error.length <= maxLeadLength)
    return <p class="why">{error || t("common.noReasonGiven")}</p>;
  return (
    <details class="why">
      <summary>{lead}…</summary>
      <p>{error}</p>
    </details>
  );
}
