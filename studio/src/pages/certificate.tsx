import { useState } from "preact/hooks";
import { clock } from "../../../core/lib/clock.js";
import { askPublic, Refusal, type Schemas } from "../api.js";
import { dayOf } from "../format.js";
import { t } from "../messages/index.js";
import { useResource } from "../resource.js";
import { OwnersOnly } from "../session.js";
import { Button, type DrawDialog } from "../ui/button.js";
import { askFirst, FormDialog } from "../ui/dialog.js";
import { FileDrop } from "../ui/file-drop.js";
import { InputField } from "../ui/form.js";
import { LoadStatus } from "../ui/loading.js";
import { Empty, Notice } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { toast } from "../ui/toast.js";

const AT = "signing-certificate";
const DAY_MS = 24 * 60 * 60_000;
/** Before its end, an owner is reminded to replace it. */
const REMINDER_DAYS = 30;

interface Found {
  /** Null when there is none. */
  certificate: Schemas["SigningCertificate"] | null;
}

async function load(): Promise<Found> {
  try {
    return { certificate: await askPublic<Schemas["SigningCertificate"]>(AT) };
  } catch (error) {
    if (error instanceof Refusal && error.status === 404)
      return { certificate: null };
    throw error;
  }
}

export function CertificatePage() {
  return (
    <OwnersOnly title={t("certificate.title")}>
      <CertificatePanel />
    </OwnersOnly>
  );
}

function CertificatePanel() {
  const resource = useResource("", load);
  const { data, reload } = resource;
  const certificate = data?.certificate ?? null;
  const store: DrawDialog = (close) => (
    <StoreDialog certificate={certificate} onStored={reload} onClose={close} />
  );
  const remove = askFirst({
    title: t("certificate.deleteIt"),
    text: t("certificate.whatDeletingDoes"),
    act: t("common.delete"),
    onAct: async () => {
      await askPublic(AT, "DELETE");
      await reload();
      toast(t("certificate.deleted"));
    },
  });
  return (
    <>
      <PageTitle title={t("certificate.title")} lead={t("certificate.lead")}>
        {certificate && (
          <>
            <Button dialog={remove}>{t("common.delete")}</Button>
            <Button kind="primary" dialog={store}>
              {t("certificate.replace")}
            </Button>
          </>
        )}
      </PageTitle>
      <LoadStatus
        resource={resource}
        what={t("certificate.couldntLoad")}
        count={1}
      />
      {data && !certificate && (
        <Empty icon="certificate" title={t("certificate.noneYet")}>
          <p>{t("certificate.noneYetHelp")}</p>
          <p>
            <a href="../docs/how-to/sign-pdfs-with-a-certificate">
              {t("certificate.howTo")}
            </a>
          </p>
          <Button kind="primary" dialog={store}>
            {t("certificate.store")}
          </Button>
        </Empty>
      )}
      {certificate && <CertificateFacts certificate={certificate} />}
    </>
  );
}

interface FactsProps {
  certificate: Schemas["SigningCertificate"];
}

function CertificateFacts({ certificate }: FactsProps) {
  const { subject, issuer, validFrom, validUntil } = certificate;
  return (
    <div class="stack">
      <ExpiryNotice validUntil={validUntil} />
      <dl class="card padded facts">
        <dt>{t("certificate.subject")}</dt>
        <dd>
          <strong>{subject}</strong>
        </dd>
        <dt>{t("certificate.issuer")}</dt>
        <dd>{issuer}</dd>
        <dt>{t("certificate.valid")}</dt>
        <dd>
          {t("certificate.fromUntil", {
            from: dayOf(validFrom),
            until: dayOf(validUntil),
          })}
        </dd>
        <dt>{t("certificate.key")}</dt>
        <dd>{certificate.key}</dd>
        <dt>{t("certificate.timestampServer")}</dt>
        <dd>{certificate.timestampUrl ?? t("certificate.noServer")}</dd>
        <dt>{t("certificate.serialNumber")}</dt>
        <dd>
          <code>{certificate.serialNumber}</code>
        </dd>
        <dt>{t("certificate.fingerprint")}</dt>
        <dd>
          <code class="small">{certificate.fingerprint}</code>
        </dd>
      </dl>
    </div>
  );
}

function ExpiryNotice({ validUntil }: { validUntil: string }) {
  const days = Math.floor((Date.parse(validUntil) - clock.now()) / DAY_MS);
  if (days >= REMINDER_DAYS) return null;
  const day = dayOf(validUntil);
  return days < 0 ? (
    <Notice tone="bad" title={t("certificate.expired", { day })}>
      <p>{t("certificate.documentsFail")}</p>
    </Notice>
  ) : (
    <Notice tone="warn" title={t("certificate.expires", { day })}>
      <p>{t("certificate.replaceBefore")}</p>
    </Notice>
  );
}

interface StoreDialogProps {
  /** The one that is replaced. */
  certificate: Schemas["SigningCertificate"] | null;
  onStored: () => Promise<void>;
  onClose: () => void;
}

function StoreDialog({ certificate, onStored, onClose }: StoreDialogProps) {
  const [file, setFile] = useState<File | null>(null);
  const [password, setPassword] = useState("");
  const [url, setUrl] = useState(certificate?.timestampUrl ?? "");
  const send = async () => {
    if (file === null) throw new Error(t("certificate.chooseFileFirst"));
    const body = {
      pkcs12: await toBase64(file),
      password,
      timestampUrl: url.trim() === "" ? null : url.trim(),
    };
    await askPublic(AT, "PUT", body);
    await onStored();
    toast(t("certificate.stored"));
    onClose();
  };
  return (
    <FormDialog
      title={certificate ? t("certificate.replace") : t("certificate.store")}
      act={t("common.save")}
      onSend={send}
      onClose={onClose}
    >
      <FileDrop
        label={t("fromFile.choose")}
        accept=".p12,.pfx"
        onFile={setFile}
      >
        {file ? (
          <strong>{file.name}</strong>
        ) : (
          <span class="muted">{t("certificate.fileHelp")}</span>
        )}
      </FileDrop>
      <InputField
        label={t("certificate.password")}
        type="password"
        autocomplete="off"
        value={password}
        onChange={setPassword}
      />
      <InputField
        label={t("certificate.timestampServer")}
        hint={t("certificate.timestampHelp")}
        type="url"
        placeholder="https://"
        value={url}
        onChange={setUrl}
      />
    </FormDialog>
  );
}

async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
