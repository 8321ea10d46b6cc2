import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { BackLink } from './BackLink.tsx';
import { cn } from './cn.ts';
import { usePageHeading } from './navigation.ts';

type ScreenProps = {
  title: string;
  /** The title of the tab, if it differs. */
  tabTitle?: string;
  /** Icon buttons beside the title. */
  actions?: ReactNode;
  /** The target of the back arrow; without it there is no arrow. */
  back?: string;
  /** Whether the arrow leads to the page from which this one was opened, and to `back` only if there is none. */
  backToPrevious?: boolean;
  /**
   * The content's width: 'reading' up to 720 px, 'wide' up to 1120 px. 'flush' is as wide, has no margins on a phone and
   * fills the height (lists with a pane).
   */
  width?: 'reading' | 'wide' | 'flush';
  /** Buttons at the end of the screen; on a phone they stay visible at its bottom. */
  footer?: ReactNode;
  /** Hides the top bar on a phone, for a screen with a bar of its own (a conversation). */
  bare?: boolean;
  children: ReactNode;
};

/** The menu at the end of the header of first-level pages, those without a back arrow. */
export const ScreenMenu = createContext<ReactNode>(null);

const widths = {
  reading: 'mx-auto w-full max-w-[752px] px-safe py-4 md:py-8',
  wide: 'mx-auto w-full max-w-[1152px] px-safe py-4 md:py-8',
  flush: 'mx-auto flex min-h-0 w-full max-w-[1152px] flex-1 flex-col md:px-safe md:py-6 short:py-0',
};

/** The layout of every screen: the title in tab and page, actions, and the main landmark. */
export function Screen({
  title,
  tabTitle = title,
  actions,
  back,
  backToPrevious,
  width = 'wide',
  footer,
  bare = false,
  children,
}: ScreenProps) {
  useEffect(() => {
    document.title = `${tabTitle} · Heartward`;
  }, [tabTitle]);

  return (
    <>
      <Header
        actions={actions}
        back={back}
        backToPrevious={backToPrevious}
        bare={bare}
        title={title}
        width={width}
      />
      <main
        className={cn(widths[width], 'md:pt-4 short:pt-2', footer !== undefined && 'max-md:flex-1')}
        id="main"
        tabIndex={-1}
      >
        {bare && <h1 className="sr-only md:hidden">{title}</h1>}
        {children}
      </main>
      {footer && (
        <div className="bottom-[calc(env(safe-area-inset-bottom)+var(--offline-strip,0px))] z-20 mx-auto w-full max-w-[752px] px-safe py-2 max-md:sticky max-md:border-line max-md:border-t max-md:bg-paper md:pb-8">
          {footer}
        </div>
      )}
    </>
  );
}

type HeaderProps = Pick<ScreenProps, 'title' | 'actions' | 'back' | 'backToPrevious' | 'width' | 'bare'>;

function Header({ title, actions, back, backToPrevious, width, bare }: HeaderProps) {
  const menu = useContext(ScreenMenu);
  const heading = usePageHeading<HTMLHeadingElement>();
  return (
    <header
      className={cn(
        'sticky top-0 z-20 border-line border-b bg-paper pt-safe md:static md:border-0 md:pt-6 short:pt-2',
        bare && 'hidden md:block',
      )}
    >
      <div
        className={cn(
          '@container mx-auto flex min-h-[56px] items-center gap-1 px-safe',
          // On a phone large text of actions grows a little only, so that the words of the title stay whole.
          'max-md:[&>a]:text-[min(0.875rem,max(14px,4vw))] max-md:[&>button]:text-[min(0.875rem,max(14px,4vw))]',
          width === 'reading' ? 'max-w-[752px]' : 'max-w-[1152px]',
        )}
      >
        {back && <BackLink className="-ms-2" to={back} toPrevious={backToPrevious} viewTransition />}
        <h1
          // On a phone large text grows as far as a word has room beside the actions.
          className="line-clamp-3 min-w-0 flex-auto font-display font-semibold text-[min(1.25rem,7vw)] leading-[1.4] md:text-3xl short:text-xl"
          dir="auto"
          ref={heading}
          tabIndex={-1}
        >
          {title}
        </h1>
        {actions}
        {!back && menu}
      </div>
    </header>
  );
}
