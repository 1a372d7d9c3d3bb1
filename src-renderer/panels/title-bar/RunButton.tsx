/** Run, and beside it where: this computer, or a cluster that the person named. */

import { ChevronDown, LoaderCircle, Play, ShieldAlert } from 'lucide-react'
import { useRef } from 'react'
import own from '../../clusters/Clusters.module.css'
import { commandOf, runCommand } from '../../commands/registry.ts'
import { countOf } from '../../rules/found-once.ts'
import { useConnectionState, useDesigner, useDocument, useSites, useTrust } from '../../state/context.ts'
import { siteFor } from '../../state/follow-clusters.ts'
import { isHere } from '../../state/site-lines.ts'
import { isRestricted } from '../../state/trust-store.ts'
import { beginning, fill } from '../../text/messages.ts'
import { restrictedWords } from '../../text/restricted-words.ts'
import { siteWords as words } from '../../text/site-words.ts'
import controls from '../../ui/controls.module.css'
import { useEnabled } from '../../ui/use-enabled.ts'
import { useKeyWords } from '../../ui/use-key-map.ts'
import styles from './RunMenu.module.css'
import { RunMenu } from './RunMenu.tsx'

export function RunButton() {
  const designer = useDesigner()
  const startKeys = useKeyWords(commandOf('run.start')) ?? ''
  const placeKeys = useKeyWords(commandOf('run.startAt')) ?? ''
  const arrow = useRef<HTMLButtonElement>(null)
  const { status } = useConnectionState()
  const mayStart = useEnabled(commandOf('run.start')) && status === 'open'
  const isEmpty = useDocument(({ history }) => countOf(history.document.nodes) === 0)
  const document = useDocument(({ history }) => history.document.id)
  const isHeld = useTrust(isRestricted)
  const known = useSites((state) => state)
  const site = siteFor(designer, known, document)
  const isAway = !isHere(designer, site)
  const where = site?.name ?? words.local
  const { asked, isMenuOpen, setMenuOpen } = known
  const title = isAway ? `${words.runOn} ${where}` : 'Run'
  // Its words stay as wide as they are: nothing beside it moves while an engine is asked.
  const asking = asked === null ? null : fill(words.asking, { name: asked })
  return (
    <div className={styles['split']} data-open={isMenuOpen || undefined}>
      <button
        type="button"
        className={controls['button']}
        data-kind="primary"
        data-testid="run-button"
        data-site={isAway ? where : undefined}
        data-restricted={isHeld || undefined}
        aria-label={asking ?? undefined}
        title={
          asking ?? (isEmpty ? beginning.status : isHeld ? restrictedWords.run : `${title}  (${startKeys})`)
        }
        disabled={!mayStart || asked !== null}
        onClick={() => runCommand(designer, 'run.start')}
      >
        {isHeld && asked === null ? (
          <ShieldAlert size={14} aria-hidden />
        ) : asked === null ? (
          <Play size={14} fill="currentColor" aria-hidden />
        ) : (
          <LoaderCircle size={14} className={styles['turning']} aria-hidden />
        )}
        Run
        {isAway && (
          <span className={styles['where']}>
            <i className={own['dot']} data-colour={site?.colour ?? 'grey'} aria-hidden />
            <span>{where}</span>
          </span>
        )}
      </button>
      <button
        type="button"
        ref={arrow}
        className={controls['button']}
        data-kind="primary"
        data-testid="run-menu-button"
        aria-label={words.menu}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        title={`${words.menu}  (${placeKeys})`}
        disabled={!mayStart}
        onClick={() => setMenuOpen(!isMenuOpen)}
      >
        <ChevronDown size={14} aria-hidden />
      </button>
      {isMenuOpen && (
        <RunMenu
          current={site}
          onClose={(isDone) => {
            setMenuOpen(false)
            // What was chosen has the keyboard now.
            if (!isDone) arrow.current?.focus()
          }}
          isOpener={(element) => arrow.current?.contains(element) === true}
        />
      )}
    </div>
  )
}
