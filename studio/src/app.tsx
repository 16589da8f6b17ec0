import type { ComponentType } from "preact";
import { Link, path } from "./router.js";
import type * as administrationPages from "./pages/administration.js";
import { MorePage, Shell } from "./shell.js";
import { SignInPage } from "./pages/sign-in.js";
import { TemplatesPage } from "./pages/templates/templates.js";
import { lazy } from "./ui/loading.js";
import { Empty } from "./ui/notice.js";
import { PageTitle } from "./ui/page-title.js";
import { toasts } from "./ui/toast.js";
import { t } from "./messages/index.js";

/** A page that is rarely opened; the editor loads without them. */
function administration(
  pick: (all: typeof administrationPages) => ComponentType<{ id: string }>,
) {
  return lazy(() => import("./pages/administration.js"), pick);
}

const pages: [pattern: RegExp, Page: ComponentType<{ id: string }>][] = [
  [/^(?:templates)?$/, TemplatesPage],
  [
    /^templates\/new$/,
    lazy(
      () => import("./pages/templates/new-template.js"),
      ({ NewTemplatePage }) => NewTemplatePage,
    ),
  ],
  [
    /^templates\/([\w-]+)$/,
    lazy(
      () => import("./pages/templates/template.js"),
      ({ TemplatePage }) => TemplatePage,
    ),
  ],
  [
    /^templates\/([\w-]+)\/file$/,
    lazy(
      () => import("./pages/templates/file-page.js"),
      ({ FilePage }) => FilePage,
    ),
  ],
  [
    /^brand$/,
    lazy(
      () => import("./pages/brand.js"),
      ({ BrandPage }) => BrandPage,
    ),
  ],
  [
    /^blocks$/,
    lazy(
      () => import("./pages/blocks.js"),
      ({ BlocksPage }) => BlocksPage,
    ),
  ],
  [/^assets$/, administration((all) => all.AssetsPage)],
  [
    /^documents$/,
    lazy(
      () => import("./pages/documents.js"),
      ({ DocumentsPage }) => DocumentsPage,
    ),
  ],
  [/^buttons$/, administration((all) => all.ButtonsPage)],
  [/^batches$/, administration((all) => all.BatchesPage)],
  [/^batches\/([\w-]+)$/, administration((all) => all.BatchPage)],
  [
    /^automations$/,
    lazy(
      () => import("./pages/automations.js"),
      ({ AutomationsPage }) => AutomationsPage,
    ),
  ],
  [
    /^automations\/([\w-]+)$/,
    lazy(
      () => import("./pages/automations.js"),
      ({ AutomationPage }) => AutomationPage,
    ),
  ],
  [/^connections$/, administration((all) => all.ConnectionsPage)],
  [
    /^connections\/return$/,
    administration((all) => all.AuthorizationReturnPage),
  ],
  [/^webhooks$/, administration((all) => all.WebhooksPage)],
  [/^webhooks\/([\w-]+)$/, administration((all) => all.WebhookPage)],
  [/^usage$/, administration((all) => all.UsagePage)],
  [/^certificate$/, administration((all) => all.CertificatePage)],
  [/^numbers$/, administration((all) => all.NumbersPage)],
  [/^keys$/, administration((all) => all.KeysPage)],
  [/^assistants$/, administration((all) => all.AssistantsPage)],
  [/^people$/, administration((all) => all.PeoplePage)],
  [/^audit$/, administration((all) => all.AuditPage)],
  [/^plugins$/, administration((all) => all.PluginsPage)],
  [/^more$/, MorePage],
  [/^account$/, administration((all) => all.AccountPage)],
  [
    /^start(?:\/([\w-]+))?$/,
    lazy(
      () => import("./wizard/wizard-page.js"),
      ({ WizardPage }) => WizardPage,
    ),
  ],
];

const ConnectPage = lazy(
  () => import("./pages/connect.js"),
  (module) => module.ConnectPage,
);

/** Pages that fill the window, with code of their own. */
const widePages: typeof pages = [
  [
    /^templates\/([\w-]+)\/edit$/,
    lazy(
      () => import("./editor/editor-page.js"),
      ({ EditorPage }) => EditorPage,
    ),
  ],
  [
    /^blocks\/([\w-]+)\/edit$/,
    lazy(
      () => import("./editor/blocks/block-editor.js"),
      ({ BlockEditorPage }) => BlockEditorPage,
    ),
  ],
];

/** The page of the address, within the frame that all share but those for signing in and connecting. */
export function App() {
  const here = path.value.replace(/\/$/, "");
  return (
    <>
      <FramedPage here={here} />
      <Toasts />
    </>
  );
}

function FramedPage({ here }: { here: string }) {
  if (/^sign-in(?:\/|$)/.test(here))
    return <SignInPage token={here.split("/")[1] ?? null} />;
  return here === "connect" ? <ConnectPage /> : <ShownPage here={here} />;
}

function ShownPage({ here }: { here: string }) {
  const wide = pageAt(widePages, here);
  return (
    <Shell isBare={wide !== null}>
      {wide ?? pageAt(pages, here) ?? <MissingPage />}
    </Shell>
  );
}

function pageAt(list: typeof pages, here: string) {
  for (const [pattern, Page] of list) {
    const match = pattern.exec(here);
    if (match) return <Page id={match[1] ?? ""} key={here} />;
  }
  return null;
}

function MissingPage() {
  return (
    <>
      <PageTitle title={t("shell.pageNotFound")} />
      <div class="card">
        <Empty icon="search" title={t("shell.pageDoesntExist")}>
          <p>{t("shell.checkAddress")}</p>
          <Link class="button" to="templates">
            {t("shell.goToTemplates")}
          </Link>
        </Empty>
      </div>
    </>
  );
}

function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text }) => (
        <div class="toast" key={id}>
          {text}
        </div>
      ))}
    </div>
  );
}
