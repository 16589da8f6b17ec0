import { getImageExtension } from "../../assets/index.js";
import {
  assertNumbered,
  linkAssets,
  linkVideos,
  type MergeOptions,
  toPlainText,
} from "../../compiler/index.js";
import type { ProgramCall, ProgramRunner } from "../../compute/index.js";
import { clock } from "../../lib/clock.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import type { Mail, MailImage } from "../../lib/mailer.js";
import { Deadline, PlatenError, type Problem } from "../../plugin-api/index.js";
import { type Store, STORE } from "../../storage/database/index.js";
import { RENDER_TIMEOUT_MS } from "../../lib/process-values.js";
import {
  describeTemplate,
  getTemplateToRender,
  ProgramCache,
} from "./compiled-templates.js";
import { toEmailImage } from "./content/email-images.js";
import { Pictures } from "./content/pictures.js";
import { reportProblems, toRenderReport } from "./render-report.js";

/** An email template merged with a record, with its images attached, since a mailbox may not reach this service. */
export interface RenderedMail extends Pick<Mail, "subject" | "text"> {
  html: string;
  images: MailImage[];
  /** What the render report of the email would list. */
  problems: Problem[];
}

interface MailRecord extends Pick<MergeOptions, "numbers"> {
  /** Of the mail, equal when it is sent again. */
  id: string;
  data: unknown;
  locale: string | null;
}

/** Renders saved email templates as mails. Nothing is stored or counted. */
@scoped(Lifecycle.ContainerScoped)
export class TemplateMails {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read">,
    @inject(Pictures) private readonly pictures: Pictures,
    @inject(ProgramCache) private readonly programs: ProgramCache,
    @inject(RENDER_TIMEOUT_MS) private readonly timeoutMs: number,
  ) {}

  /** @throws PlatenError `not_found`, `invalid_request` for a template that is no email, or as `ProgramRunner.merge`. */
  async render(
    organizationId: string,
    templateId: string,
    { id, data, locale, numbers }: MailRecord,
    cancelled?: AbortSignal,
  ): Promise<RenderedMail> {
    const template = await this.find(organizationId, templateId);
    const call = {
      organizationId,
      subject: describeTemplate(template),
      deadline: Deadline.after(this.timeoutMs, cancelled),
      definition: template.definition,
    };
    const program = await this.programs.program(template, call);
    const input = {
      id,
      data,
      ...(locale !== null && { locale }),
      ...(numbers && { numbers }),
    };
    return mergeMail(this.pictures, program, input, call);
  }

  /** @throws PlatenError `not_found`, `invalid_request` for a template that is no email. */
  async find(organizationId: string, templateId: string) {
    const { read } = this.store;
    const choice = { organizationId, templateId };
    const template = await getTemplateToRender(read, choice);
    if (template.templateType === "email") return template;
    throw new PlatenError(
      "invalid_request",
      `The template "${template.name}" is a document, not an email. Use a template of the type email.`,
    );
  }
}

/** Images on other servers stay there. @throws as `ProgramRunner.merge` */
export async function mergeMail(
  pictures: Pictures,
  program: ProgramRunner,
  {
    id,
    data,
    ...options
  }: Pick<MergeOptions, "invalidCodes" | "locale" | "numbers"> & {
    id: string;
    data: unknown;
  },
  call: ProgramCall & { deadline: Deadline },
): Promise<RenderedMail> {
  const { organizationId: owner, deadline } = call;
  const merged = await program.merge(
    { data, options: { isTest: false, now: clock.date(), ...options } },
    call,
  );
  // A test to oneself has no document, and prints zeros.
  if (options.numbers) assertNumbered(merged);
  const references = merged.assets.filter(
    (reference) => !pictures.isElsewhere(reference),
  );
  const assets = await pictures.resolve(owner, references, deadline);
  const drawn = references.map((reference) =>
    toEmailImage(owner, reference, assets.byToken),
  );
  const byContent = new Map(drawn.map((image) => [image.content, image]));
  const contents = [...byContent.keys()];
  const images = await Promise.all(
    [...byContent.values()].map(async (image, index): Promise<MailImage> => {
      const name = `image-${index + 1}`;
      return {
        id: `${name}.${id}@platen`,
        bytes: await image.bytes(),
        mimeType: image.mimeType,
        fileName: `${name}.${getImageExtension(image.mimeType)}`,
      };
    }),
  );
  const contentIds = new Map(
    contents.map((content, index) => [content, images[index]?.id ?? ""]),
  );
  const addresses = new Map(
    references.map(({ token }, index) => [
      token,
      `cid:${contentIds.get(drawn[index]?.content ?? "") ?? ""}`,
    ]),
  );
  const linked = linkVideos(merged.html, assets.videos);
  const html = linkAssets(
    { html: linked, assets: merged.assets },
    assets.byToken,
    addresses,
  );
  const { failed, changed } = assets;
  const problems = reportProblems({
    ...toRenderReport(merged.report),
    failedAssets: failed,
    changedAssets: changed,
  });
  const { title: subject } = merged;
  return { subject, html, text: toPlainText(html), images, problems };
}
