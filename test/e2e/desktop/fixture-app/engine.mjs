// The utility process of the contract app: answers over its parent port and over handed ports.
process.parentPort.on('message', ({ data, ports }) => {
  if (data === 'crash') process.exit(7)
  if (data === 'who')
    process.parentPort.postMessage({ type: process.type, hasElectron: Boolean(process.versions.electron) })
  const [port] = ports
  if (port === undefined) return
  port.on('message', ({ data: text }) => port.postMessage(`engine heard ${text}`))
  port.start()
})
process.stderr.write('engine says hello\n')
