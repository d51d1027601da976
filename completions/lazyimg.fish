function __lazyimg_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __lazyimg_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __lazyimg_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __lazyimg_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __lazyimg_parse_tokens -S
    set -l unparsed_tokens (__lazyimg_tokens -pc)
    switch $unparsed_tokens[1]
    case 'lazyimg'
        __lazyimg_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'play'
            __lazyimg_parse_subcommand -r 1 'frames=' 'f/format=' 'every=' 'keyframes' 'max-frames=' 'fps=' 'W/width=' 'H/height=' 's/size=' 'fit=' 'pattern=' 'start-number=' 'hash' 'j/jobs=' 'overwrite=' 'force' 'start=' 'end=' 'duration=' 'loops=' 'cells=' 'untimed' 'limits=' 'json' 'Q/quiet' 'version' 'h/help'
        case 'poster'
            __lazyimg_parse_subcommand 1 'o/output=' 't/at=' 'f/format=' 'W/width=' 'H/height=' 's/size=' 'fit=' 'explain' 'overwrite=' 'force' 'limits=' 'json' 'Q/quiet' 'version' 'h/help'
        case 'info'
            __lazyimg_parse_subcommand -r 1 'frames' 'limits=' 'json' 'Q/quiet' 'version' 'h/help'
        case 'formats'
            __lazyimg_parse_subcommand 0 'json' 'Q/quiet' 'version' 'h/help'
        case 'doctor'
            __lazyimg_parse_subcommand 0 'json' 'Q/quiet' 'version' 'h/help'
        case 'help'
            __lazyimg_parse_subcommand -r 1 'version'
        end
    end
end

function __lazyimg_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __lazyimg_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __lazyimg_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __lazyimg_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__lazyimg_tokens -p)
    if test -z "$(__lazyimg_tokens -t)"
        set -l index (count (__lazyimg_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'lazyimg' -f
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg" version' -l 'version' -d 'Show the version.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_positional "lazyimg" -eq 1' -fa 'play' -d 'Show media in the terminal, or write its frames.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_positional "lazyimg" -eq 1' -fa 'poster' -d 'Write one picture that stands for the media.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_positional "lazyimg" -eq 1' -fa 'info' -d 'Print what media is: type, codec, size, frames, duration, loop.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_positional "lazyimg" -eq 1' -fa 'formats' -d 'List what can be read and written.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_positional "lazyimg" -eq 1' -fa 'doctor' -d 'Tell which libraries and codecs are here, their licences, and the terminal.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_positional "lazyimg" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_positional "lazyimg play" -ge 1' -F
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" frames' -l 'frames' -d 'Write frames into a folder, or with - to standard output.' -rfa '(__lazyimg_complete_directories)'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" f format' -s 'f' -l 'format' -d 'What to write: png, ppm, raw (RGBA8 rows), framehash (SHA-256 of each frame) or null (decode only). Default: by the pattern, or png.' -rfka 'png ppm raw framehash null'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" every' -l 'every' -d 'Write every so manieth frame.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" keyframes' -l 'keyframes' -d 'Write keyframes only.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" max-frames' -l 'max-frames' -d 'Write so many frames at most.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" fps' -l 'fps' -d 'Resample to so many frames a second: 12, 12.5 or 30000/1001.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" W width' -s 'W' -l 'width' -d 'The width in pixels; the height follows.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" H height' -s 'H' -l 'height' -d 'The height in pixels; the width follows.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" s size' -s 's' -l 'size' -d 'Width and height: 640x360, 640x or x360; with ! to fill, ^ to cover, > only to shrink.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" fit' -l 'fit' -d 'How to fit into width and height: contain, cover, fill or scale-down.' -rfka 'contain cover fill scale-down'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" pattern' -l 'pattern' -d 'File names: %05d is the running number; also {name} {ext} {input} {number} {index:06} {pts_ms} {pts_us} {duration_ms} {width} {height}. Default: frame-%05d.png, or {name}-%05d.png for several inputs.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" start-number' -l 'start-number' -d 'The first running number. Default: 0.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" hash' -l 'hash' -d 'Put the SHA-256 of the pixels of each frame into frames.json.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" j jobs' -s 'j' -l 'jobs' -d 'Work on so many frames at once; 0 is one for each core.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" overwrite' -l 'overwrite' -d 'Whether to replace files that exist: \'never\' or \'always\'.' -rfka 'never always'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" force' -l 'force' -d 'The same as --overwrite always.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" start' -l 'start' -d 'Begin with the frame on screen at this time.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" end' -l 'end' -d 'End before the frames of this time.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" duration' -l 'duration' -d 'End so long after the start.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" loops' -l 'loops' -d 'How often to play: a number, once, forever or source (as its author says).' -rfka 'once forever source'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" cells' -l 'cells' -d 'Columns and lines to draw in, such as 80x24, in place of the window\'s.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" untimed' -l 'untimed' -d 'Draw every frame as fast as it goes, without a clock.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" limits' -l 'limits' -d 'What decoding may cost: \'trusted\' for files of your own, \'web\', or \'untrusted\' for uploads of strangers.' -rfka 'trusted web untrusted'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" json' -l 'json' -d 'Print results, and errors on standard error, as JSON.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" Q quiet' -s 'Q' -l 'quiet' -d 'Print no progress, summary or warnings.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" version' -l 'version' -d 'Show the version.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg play" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_positional "lazyimg poster" -eq 1' -F
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" o output' -s 'o' -l 'output' -d 'The file to write (.png or .ppm), a folder, or - for standard output. Default: the input\'s name with .png, beside the input.' -rfa '(set -l exts \'png\' \'ppm\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" at t' -s 't' -l 'at' -d 'Which picture: auto, first, last, embedded (cover art), a time (12.5, 1m2s, 00:01:02.5), a share (25%) or a frame (#120, -1 for the last).' -rfka 'auto first last embedded'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" f format' -s 'f' -l 'format' -d 'png, ppm or raw, whatever the file is called.' -rfka 'png ppm raw'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" W width' -s 'W' -l 'width' -d 'The width in pixels; the height follows.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" H height' -s 'H' -l 'height' -d 'The height in pixels; the width follows.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" s size' -s 's' -l 'size' -d 'Width and height: 640x360, 640x or x360; with ! to fill, ^ to cover, > only to shrink.' -rfka ''
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" fit' -l 'fit' -d 'How to fit into width and height: contain, cover, fill or scale-down.' -rfka 'contain cover fill scale-down'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" explain' -l 'explain' -d 'Print the frames that were looked at, and their scores.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" overwrite' -l 'overwrite' -d 'Whether to replace files that exist: \'never\' or \'always\'.' -rfka 'never always'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" force' -l 'force' -d 'The same as --overwrite always.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" limits' -l 'limits' -d 'What decoding may cost: \'trusted\' for files of your own, \'web\', or \'untrusted\' for uploads of strangers.' -rfka 'trusted web untrusted'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" json' -l 'json' -d 'Print results, and errors on standard error, as JSON.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" Q quiet' -s 'Q' -l 'quiet' -d 'Print no progress, summary or warnings.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" version' -l 'version' -d 'Show the version.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg poster" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_positional "lazyimg info" -ge 1' -F
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg info" frames' -l 'frames' -d 'Also print when each frame is shown, and which are keyframes.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg info" limits' -l 'limits' -d 'What decoding may cost: \'trusted\' for files of your own, \'web\', or \'untrusted\' for uploads of strangers.' -rfka 'trusted web untrusted'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg info" json' -l 'json' -d 'Print results, and errors on standard error, as JSON.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg info" Q quiet' -s 'Q' -l 'quiet' -d 'Print no progress, summary or warnings.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg info" version' -l 'version' -d 'Show the version.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg info" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg formats" json' -l 'json' -d 'Print results, and errors on standard error, as JSON.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg formats" Q quiet' -s 'Q' -l 'quiet' -d 'Print no progress, summary or warnings.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg formats" version' -l 'version' -d 'Show the version.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg formats" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg doctor" json' -l 'json' -d 'Print results, and errors on standard error, as JSON.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg doctor" Q quiet' -s 'Q' -l 'quiet' -d 'Print no progress, summary or warnings.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg doctor" version' -l 'version' -d 'Show the version.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg doctor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'lazyimg' -n '__lazyimg_should_offer_completions_for_flags_or_options "lazyimg help" version' -l 'version' -d 'Show the version.'
