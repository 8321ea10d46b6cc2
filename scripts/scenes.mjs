// Draws the demo members' header banners and gallery pictures: simple
// scenes made of a few shapes. After changing one run npm ci in scripts and
// `node scripts/scenes.mjs`, and commit the result in api/seed/scenes.
//
// Like scripts/portraits.mjs it writes for each picture a full one, a thumbnail
// and, in scenes.json, the blurred placeholder.
import { mkdirSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'

const skies = {
  dawn: ['#f7d9c4', '#f3e3d3', '#e6a57e', ['#d9a5a0', '#b97a86', '#8a5570', '#5b2a4e']],
  coast: ['#cfe3ea', '#eef3ee', '#f4e8c9', ['#9fc3cc', '#6f9fae', '#4a7a8c', '#2f5566']],
  forest: ['#dfe8df', '#f3efe0', '#f0d9a0', ['#a9c3a4', '#7ba186', '#4f7d64', '#2f5a47']],
  dusk: ['#e5cfe0', '#f2ddd5', '#f0a58a', ['#b58fb0', '#8a648f', '#62406c', '#3f2748']],
  desert: ['#f4e3c4', '#f8efdc', '#e9a13b', ['#e3b98a', '#cf8f62', '#a9653f', '#7a4429']],
  snow: ['#dbe5ea', '#f4f6f6', '#f7e8d8', ['#eef2f5', '#cfdbe3', '#a8bccb', '#7c95a8']],
}

/** Draws ridges in front of each other, the nearer ones darker. */
function ridges(width, height, colours, phase) {
  return colours.map((colour, row) => {
    const base = height * (0.5 + row * 0.13)
    const points = Array.from({ length: 25 }, (_, i) => {
      const x = (width * i) / 24
      const y = base - Math.sin(i / (2.6 + row) + phase + row * 1.7) * height * 0.08 - Math.sin(i / 1.3 + phase * 2 + row) * height * 0.025
      return `${x.toFixed(0)},${y.toFixed(0)}`
    })
    return `<path d="M0,${height} L${points.join(' L')} L${width},${height} Z" fill="${colour}"/>`
  }).join('')
}

function landscape(width, height, sky, phase, extra = '') {
  const [top, low, sun, colours] = skies[sky]
  const r = Math.min(width, height) * 0.13
  const x = width * (0.25 + ((phase * 37) % 10) / 20)
  return `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${low}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/><circle cx="${x}" cy="${height * 0.34}" r="${r}" fill="${sun}"/>
    ${ridges(width, height, colours, phase)}${extra}`
}

/** Draws objects on a table in front of a plain wall. */
function table(wall, wood, things) {
  return `<rect width="900" height="900" fill="${wall}"/><circle cx="470" cy="410" r="290" fill="#ffffff" opacity=".28"/>
    <rect y="660" width="900" height="240" fill="${wood}"/>${things}`
}

const firs = [90, 230, 330, 640, 760, 850].map((x, i) => {
  const h = 190 + (i % 3) * 60
  return [0, 1, 2].map((n) => `<path d="M${x - 62 + n * 12},${820 - n * h * 0.26} L${x},${820 - h * 0.42 - n * h * 0.29} L${x + 62 - n * 12},${820 - n * h * 0.26} Z" fill="#234638"/>`).join('')
}).join('')
const boat = '<rect y="684" width="900" height="216" fill="#35606f"/><path d="M560 640h150l-26 46h-98Z" fill="#f8efdc"/><path d="M632 470v160h-74Z" fill="#fff"/><path d="M642 500v130h62Z" fill="#e6a57e"/>'
const windows = Array.from({ length: 7 }, (_, i) => {
  const [x, h] = [20 + i * 126, 250 + ((i * 97) % 210)]
  const lights = Array.from({ length: 12 }, (_, n) => ((n * 7 + i * 5) % 4 === 0 ? `<rect x="${x + 16 + (n % 3) * 28}" y="${900 - h + 24 + Math.floor(n / 3) * 44}" width="14" height="20" fill="#f5be62"/>` : '')).join('')
  return `<rect x="${x}" y="${900 - h}" width="112" height="${h}" fill="${i % 2 ? '#3a2a45' : '#2c2036'}"/>${lights}`
}).join('')
const cup = '<ellipse cx="450" cy="690" rx="210" ry="34" fill="#00000018"/><path d="M300 470h300v90a150 130 0 0 1-300 0Z" fill="#c4452d"/><ellipse cx="450" cy="470" rx="150" ry="34" fill="#8f2f1f"/><path d="M600 500c90-10 90 120-20 110" fill="none" stroke="#c4452d" stroke-width="26"/><path d="M400 400c-30-40 30-60 0-110M480 400c-30-40 30-60 0-110" fill="none" stroke="#fff" stroke-width="12" stroke-linecap="round" opacity=".8"/>'
const books = [['#5b2a4e', 250, 420], ['#e9a13b', 290, 360], ['#3a7557', 230, 440], ['#c4452d', 310, 330]]
  .map(([colour, x, w], i) => `<rect x="${x}" y="${640 - i * 66}" width="${w}" height="60" rx="8" fill="${colour}"/><rect x="${x + 26}" y="${640 - i * 66}" width="12" height="60" fill="#fff" opacity=".5"/>`).join('')
const plant = '<path d="M340 520h220l-30 180H370Z" fill="#cf8f62"/>' + [-70, -40, -12, 16, 44, 72]
  .map((turn, i) => `<path d="M450 520c-70-90-60-190 0-270 60 80 70 180 0 270Z" fill="${i % 2 ? '#3a7557' : '#4f9070'}" transform="rotate(${turn} 450 520)"/>`).join('')
const oranges = [[340, 640], [450, 650], [560, 640], [400, 560], [505, 560]]
  .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="66" fill="#e9a13b"/><circle cx="${x - 18}" cy="${y - 20}" r="16" fill="#fff" opacity=".35"/>`).join('') + '<path d="M230 640h440a220 150 0 0 1-440 0Z" fill="#5f7a94"/>'

const pictures = {
  'banner-dawn': [1500, 500, landscape(1500, 500, 'dawn', 0.4)],
  'banner-coast': [1500, 500, landscape(1500, 500, 'coast', 1.9)],
  'banner-forest': [1500, 500, landscape(1500, 500, 'forest', 3.1)],
  'banner-dusk': [1500, 500, landscape(1500, 500, 'dusk', 4.6)],
  'banner-desert': [1500, 500, landscape(1500, 500, 'desert', 5.5)],
  'banner-snow': [1500, 500, landscape(1500, 500, 'snow', 2.4)],
  trail: [900, 900, landscape(900, 900, 'forest', 0.9, firs)],
  harbor: [900, 900, landscape(900, 900, 'coast', 2.2, boat)],
  rooftops: [900, 900, landscape(900, 900, 'dusk', 1.2, windows)],
  summit: [900, 900, landscape(900, 900, 'snow', 3.7)],
  tea: [900, 900, table('#ead2bb', '#b98a63', cup)],
  reading: [900, 900, table('#dbe5ea', '#8f9fa8', books)],
  balcony: [900, 900, table('#e6dfd0', '#a9917a', plant)],
  kitchen: [900, 900, table('#f2ddd5', '#9c6f55', oranges)],
}

const folder = new URL('../api/seed/scenes/', import.meta.url)
mkdirSync(folder, { recursive: true })
const list = []
let bytes = 0
for (const [name, [width, height, inner]] of Object.entries(pictures)) {
  const picture = sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inner}</svg>`)).flatten({ background: '#fff' })
  const write = async (file, image) => {
    const data = await image.toBuffer()
    writeFileSync(new URL(file, folder), data)
    bytes += data.length
  }
  await write(`${name}.full.webp`, picture.clone().webp({ quality: 45, effort: 6, preset: 'drawing' }))
  await write(`${name}.thumb.webp`, picture.clone().resize({ width: 480 }).webp({ quality: 42, effort: 6, preset: 'drawing' }))
  const blurred = await picture.clone().resize({ width: 16 }).webp({ quality: 40, effort: 6 }).toBuffer()
  list.push({ name, width, height, placeholder: `data:image/webp;base64,${blurred.toString('base64')}` })
}
writeFileSync(new URL('scenes.json', folder), `[\n${list.map((p) => JSON.stringify(p)).join(',\n')}\n]\n`)
console.log(`${list.length} scenes, ${Math.round(bytes / 1024)} kB`)
