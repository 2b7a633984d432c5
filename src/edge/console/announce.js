// The live region. It speaks sparingly: what it is given within a second is one sentence.

let waiting = [];

/** Says something to who listens instead of looking. */
export function speak(words) {
  waiting.push(words);
  if (waiting.length > 1) return;
  setTimeout(() => {
    const region = document.getElementById("live");
    if (region) region.textContent = waiting.slice(-3).join(". ");
    waiting = [];
  }, 800);
}
