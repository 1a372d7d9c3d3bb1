/** The topics that a pool works for, one chip each; Enter adds what is written. */

import { X } from 'lucide-react'
import { useState } from 'react'
import { pools as words } from '../../../text/messages.ts'
import styles from './Pools.module.css'

export function TopicsField(props: {
  readonly pool: string
  readonly topics: readonly string[]
  readonly onChange: (topics: readonly string[]) => Promise<void>
}) {
  const { pool, topics, onChange } = props
  const [text, setText] = useState('')
  const add = (): void => {
    const wanted = text.trim()
    setText('')
    if (wanted !== '' && !topics.includes(wanted)) void onChange([...topics, wanted])
  }
  return (
    <span className={styles['topics']}>
      {topics.map((topic) => (
        <span key={topic} className={styles['chip']}>
          {topic}
          <button
            type="button"
            aria-label={`Take ${topic} from ${pool}`}
            onClick={() => void onChange(topics.filter((one) => one !== topic))}
          >
            <X size={11} aria-hidden />
          </button>
        </span>
      ))}
      <input
        aria-label={`Another topic of ${pool}`}
        placeholder="+ topic"
        title={words.topics}
        data-testid={`pool-topic-${pool}`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add()
          if (event.key === 'Escape') setText('')
          const last = topics.at(-1)
          if (event.key === 'Backspace' && text === '' && last !== undefined)
            void onChange(topics.slice(0, -1))
        }}
      />
    </span>
  )
}
