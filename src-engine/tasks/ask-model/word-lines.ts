/** What a model says, as lines for whoever watches: whole ones, and long ones at the end of a word. */

/** About as much as stands in a line of the log; a paragraph would else be seen only when it is over. */
const lineLength = 160

/**
 * Tells lines as they become known. Where `wraps` is false only whole ones are: a secret of several words
 * would be told in two pieces, and half of one is found by nobody.
 */
export function createWordLines(tell: (text: string) => void, wraps: boolean) {
  let rest = ''
  const wrap = (): void => {
    for (let end = endOfWord(rest); end !== -1; end = endOfWord(rest)) {
      tell(rest.slice(0, end))
      rest = rest.slice(end + 1)
    }
  }
  return {
    add(piece: string) {
      for (const [index, part] of piece.split('\n').entries()) {
        if (index > 0) {
          tell(rest.replace(/\r$/, ''))
          rest = ''
        }
        rest += part
        // A text without words is only collected: it may be long, and come in many pieces.
        if (wraps && part.includes(' ')) wrap()
      }
    },
    end() {
      if (rest !== '') tell(rest)
      rest = ''
    },
  }
}

/** Where the line ends; -1 while that is not known. */
function endOfWord(text: string): number {
  if (text.length <= lineLength) return -1
  const within = text.lastIndexOf(' ', lineLength)
  return within > 0 ? within : text.indexOf(' ', lineLength)
}
