/** Text with a little Markdown: headings, lists, paragraphs, bold, italic, code. What it doesn't know is text. */

import type { ReactNode } from 'react'
import styles from './Markdown.module.css'

export function Markdown({ text }: { readonly text: string }) {
  const blocks = text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
  return (
    <div className={styles['text']}>
      {blocks.map((block, index) => (
        // Blocks have no identity but their place.
        <Block key={index} text={block} />
      ))}
    </div>
  )
}

function Block({ text }: { readonly text: string }) {
  const heading = /^#{1,6}\s+(.*)$/m.exec(text)
  const lines = text.split('\n')
  if (heading?.index === 0) {
    const rest = lines.slice(1).join('\n').trim()
    return (
      <>
        <h4>{inline(heading[1] ?? '')}</h4>
        {rest !== '' && <Block text={rest} />}
      </>
    )
  }
  if (!lines.every((line) => /^\s*[-*]\s+/.test(line))) return <p>{inline(text)}</p>
  return (
    <ul>
      {lines.map((line, index) => (
        <li key={index}>{inline(line.replace(/^\s*[-*]\s+/, ''))}</li>
      ))}
    </ul>
  )
}

/** Bold, italic and code within a line. */
function inline(text: string): readonly ReactNode[] {
  return text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/).map((part, index) => {
    if (part.startsWith('**') && part.length > 4) return <b key={index}>{part.slice(2, -2)}</b>
    if (part.startsWith('*') && part.length > 2) return <i key={index}>{part.slice(1, -1)}</i>
    if (part.startsWith('`') && part.length > 2) return <code key={index}>{part.slice(1, -1)}</code>
    return part
  })
}
