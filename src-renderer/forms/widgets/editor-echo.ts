/**
 * What is written in an editor comes back to it as its text, once the page was drawn with it. On a busy machine more was
 * written by then: taken in, that text would move the cursor, and what was written since would be lost. Pure.
 */

export function createEcho() {
  /** What was told and hasn't come back, the oldest first. Those in between never do where several are drawn as one. */
  let told: readonly string[] = []
  return {
    tell: (text: string): void => {
      told = [...told, text]
    },
    /** Whether that text is the editor's own; any other one is somebody else's, and counts. */
    isOwn: (text: string): boolean => {
      const at = told.indexOf(text)
      told = at === -1 ? [] : told.slice(at + 1)
      return at !== -1
    },
    /** Where what was drawn is what is written, nothing is on its way any more. */
    drawn: (text: string, written: () => string): void => {
      if (told.length > 0 && written() === text) told = []
    },
  }
}
