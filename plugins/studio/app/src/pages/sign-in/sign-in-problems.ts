interface ProblemWords {
  title: string;
  advice: string;
}

const ofLinks: Record<string, ProblemWords> = {
  gone: {
    title: "This link was used already, or is too old",
    advice:
      "Each link works once, for a short time. Ask for a new one the way you got this one.",
  },
  not_found: {
    title: "This link is not whole",
    advice:
      "Some programs cut long addresses in two. Copy all of it into the address bar, or ask for a new link.",
  },
};

const ofProvider: Record<string, ProblemWords> = {
  forbidden: {
    title: "You have no account here yet",
    advice:
      "Your provider knows you, but nobody has added your email address to an organization. Ask its owner, or whoever runs Platen.",
  },
  conflict: {
    title: "Your email address is not verified",
    advice:
      "Verify it at your provider, then try again. Or ask for a sign-in link.",
  },
  unauthorized: {
    title: "The sign-in was not completed",
    advice: "Your provider did not let you through, or you left. Try again.",
  },
  invalid_request: {
    title: "The sign-in took too long, or began elsewhere",
    advice: "Begin again, in this browser.",
  },
  unavailable: {
    title: "The sign-in provider does not answer",
    advice:
      "Try again in a minute. If it stays so, tell whoever runs Platen to look at its log.",
  },
};

/** What went wrong, in words, and what to do. Null: nothing, as far as the address tells. */
export function problemWords(
  way: string | null,
  problem: string | null,
): ProblemWords | null {
  if (problem === null) return null;
  const known = (way === "openid" ? ofProvider : ofLinks)[problem];
  return (
    known ?? {
      title: "Signing in did not work",
      advice: "Wait a minute, then try again.",
    }
  );
}
