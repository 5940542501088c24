# pack.sh FOLDER FILE VENDOR: a script that unpacks the folder and runs its install.sh with the options it is given.
folder=$1 file=$2
cat > "$file" <<'END'
#!/bin/sh
options= target= run=1
for word in "$@"; do
    case $word in
        --extract=*) target=${word#*=} run= ;;
        --noexec) run= ;;
        *) options="$options $word" ;;
    esac
done
[ -n "$target" ] || target=$(mktemp -d)
mkdir -p "$target" && tail -n "+$(($(grep -an "^# The archive follows" "$0" | head -n 1 | cut -d: -f1) + 1))" "$0" | tar -xzf - -C "$target" || exit 1
[ -n "$run" ] || exit 0
cd "$target" && ./install.sh $options
code=$?
rm -rf "$target"
exit $code
# The archive follows.
END
tar -czf - -C "$folder" . >> "$file" && chmod +x "$file"
