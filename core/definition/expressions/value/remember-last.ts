/** Keeps the last answer: all values of a template ask in its one locale, its one currency. */
export function rememberLast<T>(
  answerTo: (question: string) => T,
): (question: string) => T {
  let last: { question: string; answer: T } | undefined;
  return (question) => {
    if (last?.question !== question)
      last = { question, answer: answerTo(question) };
    return last.answer;
  };
}
