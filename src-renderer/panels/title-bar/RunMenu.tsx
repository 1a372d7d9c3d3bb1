/** Where the open document can run: this computer and each cluster, and the ways to push and to manage them. */

import { Check, CloudUpload, Drama, Monitor, Network } from 'lucide-react'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import type { ClusterEntry } from '../../../src-engine/protocol/clusters.ts'
import own from '../../clusters/Clusters.module.css'
import { runCommand } from '../../commands/registry.ts'
import { runAt } from '../../state/begin-run.ts'
import { useDesigner, useSites } from '../../state/context.ts'
import { loadClusters, siteOf } from '../../state/follow-clusters.ts'
import type { Site } from '../../state/site.ts'
import { siteWords as words } from '../../text/site-words.ts'
import { menuItemsOf, walkMenu } from '../../ui/menu-keys.ts'
import styles from './RunMenu.module.css'

interface MenuProps {
  /** Where it runs when nobody says otherwise. */
  readonly current: Site
  /** True when something was chosen. */
  readonly onClose: (isDone: boolean) => void
  /** Whether an element is of the button that opens and closes it. */
  readonly isOpener: (element: Node) => boolean
}

export function RunMenu({ current, onClose, isOpener }: MenuProps) {
  const designer = useDesigner()
  // Somebody may have changed them from elsewhere.
  useEffect(() => void loadClusters(designer), [designer])
  const clusters = useSites((state) => state.clusters) ?? []
  const menu = useMenu({ onClose, isOpener })
  const choose = (act: () => void) => (): void => {
    onClose(true)
    act()
  }
  return (
    <div {...menu} className={styles['menu']} role="menu" aria-label={words.menu} data-testid="run-menu">
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a group of a menu */}
      <div role="group" aria-label={words.runOn}>
        <Place
          title={words.local}
          hint={words.localHint}
          testId="run-at-local"
          isCurrent={current === null}
          mark={<Monitor size={15} aria-hidden />}
          onChoose={choose(() => void runAt(designer, null))}
        />
        {clusters.map((entry) => (
          <ClusterPlace
            key={entry.name}
            entry={entry}
            isCurrent={current?.name === entry.name}
            onChoose={choose(() => void runAt(designer, siteOf(entry)))}
          />
        ))}
      </div>
      <Place
        title={words.onMocks}
        hint={words.onMocksHint}
        testId="run-on-mocks"
        isCurrent={false}
        mark={<Drama size={15} aria-hidden />}
        onChoose={choose(() => runCommand(designer, 'run.mocks'))}
      />
      {clusters.length === 0 && <p className={styles['none']}>{words.noClusters}</p>}
      <hr />
      <Action
        title={words.push}
        testId="run-menu-push"
        icon={<CloudUpload size={15} aria-hidden />}
        isOff={!clusters.some(({ readOnly }) => !readOnly)}
        onChoose={choose(() => runCommand(designer, 'run.push'))}
      />
      <Action
        title={words.clusters}
        testId="run-menu-clusters"
        icon={<Network size={15} aria-hidden />}
        isOff={false}
        onChoose={choose(() => designer.view.getState().setEnginePage('clusters'))}
      />
    </div>
  )
}

function ClusterPlace(props: {
  readonly entry: ClusterEntry
  readonly isCurrent: boolean
  readonly onChoose: () => void
}) {
  const { entry, isCurrent, onChoose } = props
  return (
    <Place
      title={entry.name}
      hint={entry.readOnly ? words.lookOnly : words.clusterHint}
      testId={`run-at-${entry.name}`}
      isCurrent={isCurrent}
      isOff={entry.readOnly}
      mark={<span className={`${own['dot']} ${styles['dot']}`} data-colour={entry.colour} aria-hidden />}
      onChoose={onChoose}
    />
  )
}

function Place(props: {
  readonly title: string
  readonly hint: string
  readonly testId: string
  readonly isCurrent: boolean
  readonly isOff?: boolean
  readonly mark: ReactNode
  readonly onChoose: () => void
}) {
  const { title, hint, testId, isCurrent, isOff = false, mark, onChoose } = props
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isCurrent}
      aria-disabled={isOff || undefined}
      tabIndex={-1}
      data-testid={testId}
      onClick={isOff ? undefined : onChoose}
    >
      <span className={styles['mark']}>{mark}</span>
      <span className={styles['words']}>
        <b>{title}</b>
        <small>{hint}</small>
      </span>
      {isCurrent && <Check size={15} aria-hidden />}
    </button>
  )
}

function Action(props: {
  readonly title: string
  readonly testId: string
  readonly icon: ReactNode
  readonly isOff: boolean
  readonly onChoose: () => void
}) {
  const { title, testId, icon, isOff, onChoose } = props
  return (
    <button
      type="button"
      role="menuitem"
      aria-disabled={isOff || undefined}
      tabIndex={-1}
      data-testid={testId}
      onClick={isOff ? undefined : onChoose}
    >
      <span className={styles['mark']}>{icon}</span>
      <span className={styles['words']}>{title}</span>
    </button>
  )
}

/** The keyboard of a menu: arrows, Home and End go round, Escape and Tab close it, and so does a click outside. */
function useMenu({ onClose, isOpener }: Pick<MenuProps, 'onClose' | 'isOpener'>) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const items = menuItemsOf(ref.current)
    const checked = items.find((item) => item.getAttribute('aria-checked') === 'true')
    ;(checked ?? items[0])?.focus()
  }, [])
  useEffect(() => {
    const outside = (event: PointerEvent): void => {
      const { target } = event
      if (!(target instanceof Node) || ref.current?.contains(target) === true) return
      if (!isOpener(target)) onClose(true)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [onClose, isOpener])
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.key === 'Escape' || event.key === 'Tab') onClose(false)
    else if (!walkMenu(menuItemsOf(ref.current), event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return { ref, onKeyDown }
}
