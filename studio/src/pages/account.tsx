import type { SessionInfo } from "../../../core/accounts/views.js";
import { ask } from "../api.js";
import { agoOf, browserOf, dayOf } from "../format.js";
import { me } from "../session.js";
import { useResource } from "../resource.js";
import { Button } from "../ui/button.js";
import { Fault } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { toast } from "../ui/toast.js";
import { t } from "../messages/index.js";

const roles = {
  owner: t("account.ownerRole"),
  editor: t("account.editorRole"),
  viewer: t("account.viewerRole"),
} as const;

export function AccountPage() {
  const sessions = useResource("", () => ask<SessionInfo[]>("sessions"));
  const who = me.value;
  return (
    <>
      <PageTitle title={t("account.account")} />
      <div class="stack narrow">
        {who && (
          <dl class="card padded facts">
            <dt>{t("common.name")}</dt>
            <dd>{who.user.name}</dd>
            <dt>{t("common.email")}</dt>
            <dd>{who.user.email}</dd>
            <dt>{t("shell.organization")}</dt>
            <dd>{who.organization.name}</dd>
            <dt>{t("common.role")}</dt>
            <dd>{roles[who.role]}</dd>
          </dl>
        )}
        {sessions.fault && !sessions.data && (
          <Fault
            what={t("account.couldntLoadYourSessions")}
            why={sessions.fault}
            onRetry={sessions.reload}
          />
        )}
        {sessions.data && (
          <Sessions all={sessions.data} onChange={sessions.reload} />
        )}
      </div>
    </>
  );
}

function Sessions({
  all,
  onChange,
}: {
  all: SessionInfo[];
  onChange: () => Promise<void>;
}) {
  const end = async (which: string, said: string) => {
    await ask(`sessions${which}`, "DELETE");
    await onChange();
    toast(said);
  };
  return (
    <section class="stack">
      <div class="section-head">
        <div>
          <h2>{t("account.whereYouAreSignedIn")}</h2>
          <p class="muted small">{t("account.endUnknownSessions")}</p>
        </div>
        {all.length > 1 && (
          <Button onPress={() => end("", t("account.allOtherSessionsEnded"))}>
            {t("account.endAllOthers")}
          </Button>
        )}
      </div>
      <ul class="card lines">
        {all.map(({ id, userAgent, createdAt, lastSeenAt, isCurrent }) => {
          const browser = browserOf(userAgent);
          return (
            <li class="line" key={id}>
              <div class="words">
                <strong>{browser}</strong>
                <span class="muted small">
                  {t("account.signedInDateLastUsed", {
                    date: dayOf(createdAt),
                    ago: agoOf(lastSeenAt),
                  })}
                </span>
              </div>
              {isCurrent ? (
                <span class="badge good">{t("account.thisBrowser")}</span>
              ) : (
                <Button
                  label={t("account.endSessionInBrowser", { browser })}
                  onPress={() => end(`/${id}`, t("account.sessionEnded"))}
                >
                  {t("account.end")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
