import {
  type DemoRequest,
  isTurnOf,
  type KeptRequest,
  type KeptSigner,
  signerStatus,
  statusOf,
} from "../kept-request.js";
import { pagesInWords } from "../pages-in-words.js";
import { timeInWords } from "../time-in-words.js";
import { escaped, frame } from "./frame.js";
import { signForm } from "./sign-form.js";

const tick =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M5 12.5l4.5 4.5L19 7.5"/></svg>';
const cross =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" aria-hidden="true"><path d="M7 7l10 10M17 7L7 17"/></svg>';
const sheet =
  '<svg viewBox="0 0 28 34" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" aria-hidden="true"><path d="M3 2h15l7 7v23H3zM18 2v7h7M8 17h12M8 22h12M8 27h7"/></svg>';

/** The page on which a signer signs by a click, or reads how far it is. @param said what was wrong with what they sent. */
export function signPage(
  demo: DemoRequest,
  place: number,
  { now, said }: { now: Date; said: string | null },
): string {
  const { request } = demo;
  const signer = request.signers[place];
  if (!signer) return frame(request.title, "");
  return frame(request.title, bodyOf(demo, place, signer, now, said));
}

function bodyOf(
  demo: DemoRequest,
  place: number,
  signer: KeptSigner,
  now: Date,
  said: string | null,
): string {
  const status = signerStatus(demo, place);
  if (status === "completed") return thanks(demo, place, signer);
  if (status === "declined")
    return end(
      demo,
      cross,
      "You declined to sign",
      `The sender of “${demo.request.title}” knows, and will not ask you again.`,
    );
  const whole = statusOf(demo, now);
  if (whole !== "pending")
    return end(demo, cross, closed[whole], `“${demo.request.title}”`);
  const greeting = `<p class="kicker">${escaped(signer.name)}, you are asked to sign as ${escaped(signer.role)}</p>
<h1>${escaped(demo.request.title)}</h1>${message(demo.request)}
${documentLink(demo.request, signer)}`;
  if (!isTurnOf(demo, place))
    return `${greeting}
<h2>It is not your turn yet</h2>
<p class="lead">Others sign before you. Open this link again when they have.</p>
${signersOf(demo)}`;
  const problem =
    said === null
      ? ""
      : `<p class="problem" role="status">${escaped(said)}</p>`;
  return `${greeting}
${problem}
${signForm(demo, place)}`;
}

const closed = {
  completed: "Everybody has signed",
  declined: "Somebody has declined to sign",
  expired: "The time to sign is over",
  canceled: "The sender has withdrawn this request",
};

function thanks(demo: DemoRequest, place: number, signer: KeptSigner): string {
  const at = timeInWords(demo.answers[place]?.at ?? new Date().toISOString());
  const isWhole = demo.answers.every((answer) => answer?.kind === "signed");
  const next = isWhole
    ? "Everybody has signed: the sender now has the signed document."
    : "Others are still to sign. You need do nothing more.";
  return `<div class="end">${tick}</div>
<h1>Thank you, ${escaped(signer.name)}</h1>
<p class="lead">You signed “${escaped(demo.request.title)}” on ${at}. ${next}</p>
${documentLink(demo.request, signer)}
${signersOf(demo)}`;
}

function end(
  demo: DemoRequest,
  icon: string,
  heading: string,
  text: string,
): string {
  return `<div class="end bad">${icon}</div>
<h1>${heading}</h1>
<p class="lead">${escaped(text)}</p>
${signersOf(demo)}`;
}

function message({ message: text }: KeptRequest): string {
  return text === "" ? "" : `\n<p class="message">${escaped(text)}</p>`;
}

function documentLink(
  { pages, sizeBytes }: KeptRequest,
  { token }: KeptSigner,
): string {
  const size = `${Math.max(1, Math.round(sizeBytes / 1024))} kB`;
  return `<a class="document" href="${escaped(token)}/document.pdf" target="_blank" rel="noreferrer">${sheet}<span><b>Read the document</b><span>PDF, ${pagesInWords(pages)}, ${size}</span></span></a>`;
}

const statusWords = {
  waiting: "signs later",
  sent: "signs now",
  opened: "signs now",
  completed: "signed",
  declined: "declined",
};

function signersOf(demo: DemoRequest): string {
  const rows = demo.request.signers.map(({ name, role }, place) => {
    const word = statusWords[signerStatus(demo, place)];
    const at = demo.answers[place]?.at;
    const when = at ? `${word}<br>${timeInWords(at)}` : word;
    return `<li><span>${escaped(name)}<small>${escaped(role)}</small></span><span>${when}</span></li>`;
  });
  return `<h2>Who signs</h2>
<ul class="signers">${rows.join("")}</ul>`;
}
